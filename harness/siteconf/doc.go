// Package siteconf turns the configuration of a site into sections of a manifest: a slurm.conf with the tables of sacctmgr, or a platform
// of SimGrid. What has no place in a manifest is named, with its file, line and reason. The files are not trusted.
package siteconf

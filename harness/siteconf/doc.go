// Package siteconf turns the configuration of a site into sections of a manifest: a slurm.conf with the tables of sacctmgr, or a
// platform of SimGrid. It names each setting that has no place in a manifest, with its file, line and reason. It trusts no file.
package siteconf

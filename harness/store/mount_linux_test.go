package store

import "syscall"

// mountTiny puts a file system of 256 KiB at dir; it needs privileges.
func mountTiny(dir string) error { return syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k") }

func unmount(dir string) error { return syscall.Unmount(dir, 0) }

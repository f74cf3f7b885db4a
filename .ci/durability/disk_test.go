package durability

import (
	"sync/atomic"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// disk is a file system that passes every operation on to a folder. It counts the operations, and answers some with EIO.
type disk struct {
	fuse.RawFileSystem
	calls atomic.Int64 // since the last arm
	// from is the first operation that fails, from 1; 0 lets none fail. lasting says that all later ones fail too.
	from    atomic.Int64
	lasting atomic.Bool
}

// mount shows a folder at another place until the server is unmounted. It needs /dev/fuse and root.
func mount(folder, at string) (*disk, *fuse.Server, error) {
	root, err := fs.NewLoopbackRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	d := &disk{RawFileSystem: fs.NewNodeFS(root, &fs.Options{})}
	server, err := fuse.NewServer(d, at, &fuse.MountOptions{DirectMountStrict: true, FsName: "durability", Name: "durability"})
	if err != nil {
		return nil, nil, err
	}
	go server.Serve()
	return d, server, server.WaitMount()
}

// arm lets the operation of that number fail, counted from now.
func (d *disk) arm(from int64, lasting bool) {
	d.from.Store(0)
	d.calls.Store(0)
	d.lasting.Store(lasting)
	d.from.Store(from)
}

// heal ends all faults, and returns how many operations there were.
func (d *disk) heal() int64 {
	d.from.Store(0)
	return d.calls.Load()
}

// fails counts an operation, and reports whether it fails.
func (d *disk) fails() bool {
	n, from := d.calls.Add(1), d.from.Load()
	return from > 0 && (n == from || n > from && d.lasting.Load())
}

type stop = <-chan struct{}

func (d *disk) Lookup(c stop, h *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Lookup(c, h, name, out)
}

func (d *disk) GetAttr(c stop, in *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.GetAttr(c, in, out)
}

func (d *disk) SetAttr(c stop, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.SetAttr(c, in, out)
}

func (d *disk) Mkdir(c stop, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Mkdir(c, in, name, out)
}

func (d *disk) Unlink(c stop, h *fuse.InHeader, name string) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Unlink(c, h, name)
}

func (d *disk) Rmdir(c stop, h *fuse.InHeader, name string) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Rmdir(c, h, name)
}

func (d *disk) Rename(c stop, in *fuse.RenameIn, from, to string) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Rename(c, in, from, to)
}

func (d *disk) Link(c stop, in *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Link(c, in, name, out)
}

func (d *disk) Create(c stop, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Create(c, in, name, out)
}

func (d *disk) Open(c stop, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Open(c, in, out)
}

func (d *disk) Read(c stop, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	if d.fails() {
		return nil, fuse.EIO
	}
	return d.RawFileSystem.Read(c, in, buf)
}

func (d *disk) Write(c stop, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	if d.fails() {
		return 0, fuse.EIO
	}
	return d.RawFileSystem.Write(c, in, data)
}

func (d *disk) Flush(c stop, in *fuse.FlushIn) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Flush(c, in)
}

func (d *disk) Fsync(c stop, in *fuse.FsyncIn) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.Fsync(c, in)
}

func (d *disk) FsyncDir(c stop, in *fuse.FsyncIn) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.FsyncDir(c, in)
}

func (d *disk) OpenDir(c stop, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.OpenDir(c, in, out)
}

func (d *disk) ReadDirPlus(c stop, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	if d.fails() {
		return fuse.EIO
	}
	return d.RawFileSystem.ReadDirPlus(c, in, out)
}

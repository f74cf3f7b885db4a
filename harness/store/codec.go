package store

import (
	"fmt"
	"sync"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// maxPageBytes bounds what one compressed page may expand to when it is read
// (a damaged or hostile file must not fill the memory). Pages are written at
// about 1 MiB; one string of a page may be longer.
const maxPageBytes = 1 << 30

// pooledZstd is the zstd codec at level 1 with pooled encoders. The codec that
// arrow brings makes a new encoder for every page, which costs more than the
// compression itself and tens of gigabytes of garbage in a long run.
// Every frame carries a checksum, verified on reading. The streaming forms, which Parquet
// pages do not use, are arrow's.
type pooledZstd struct{ compress.Codec }

var (
	zstdEncoders = sync.Pool{New: func() any {
		e, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
		if err != nil {
			panic(fmt.Sprintf("store: constant zstd encoder options refused: %v", err))
		}
		return e
	}}
	zstdDecoders = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPageBytes))
		if err != nil {
			panic(fmt.Sprintf("store: constant zstd decoder options refused: %v", err))
		}
		return d
	}}
)

func init() {
	arrows, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		panic(fmt.Sprintf("store: arrow has no zstd: %v", err))
	}
	compress.RegisterCodec(compress.Codecs.Zstd, pooledZstd{arrows})
}

// Encode compresses src into dst, which is grown when it is too small.
func (pooledZstd) Encode(dst, src []byte) []byte {
	e := zstdEncoders.Get().(*zstd.Encoder)
	defer zstdEncoders.Put(e)
	return e.EncodeAll(src, dst[:0])
}

// EncodeLevel is Encode: the level is always 1.
func (c pooledZstd) EncodeLevel(dst, src []byte, _ int) []byte { return c.Encode(dst, src) }

// Decode expands src into dst. The interface has no error result, so damage is
// a panic, which the reader turns into an error at the file boundary.
func (pooledZstd) Decode(dst, src []byte) []byte {
	d := zstdDecoders.Get().(*zstd.Decoder)
	defer zstdDecoders.Put(d)
	out, err := d.DecodeAll(src, dst[:0])
	if err != nil {
		panic(fmt.Errorf("zstd page: %w", err))
	}
	return out
}

// CompressBound is the largest size that n bytes can compress to
// (ZSTD_COMPRESSBOUND of zstd.h, and the frame header and checksum).
func (pooledZstd) CompressBound(n int64) int64 {
	bound := n + n>>8 + 32
	if n < 128<<10 {
		bound += (128<<10 - n) >> 11
	}
	return bound
}

package transcript

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// FileMode says what [OpenFile] does with a file that already holds something.
type FileMode int

// The ways to treat an existing file. An empty one is always taken.
const (
	// NewFile refuses it with [ErrExists].
	NewFile FileMode = iota
	// ReplaceFile empties it.
	ReplaceFile
	// AppendFile writes a further session behind what it holds.
	AppendFile
)

// ErrExists says that a file was not overwritten.
var ErrExists = errors.New("the file exists and is not empty")

// ErrInUse says that another recorder is writing to the file.
var ErrInUse = errors.New("the file is in use by another recorder")

// OpenFile opens a file for a [Writer]. A new file can be read and written by
// its owner alone (mode 0600), because what two programs say to each other may
// hold secrets; ReplaceFile gives an existing file that mode too. A regular
// file is locked until it is closed, where the system has such locks, so that
// two recorders never mix their lines. When the file to append to ends within
// a line, as a crash leaves it, that line is ended first.
//
// Devices and named pipes are written to as they are. A named pipe that nobody
// reads is an error: waiting for a reader would hold up the session.
func OpenFile(name string, mode FileMode) (*os.File, error) {
	f, err := openFile(name, mode)
	if err != nil {
		return nil, fmt.Errorf("open the record: %w", err)
	}
	return f, nil
}

func openFile(name string, mode FileMode) (*os.File, error) {
	const create = os.O_CREATE | os.O_EXCL | os.O_RDWR | os.O_APPEND
	f, err := os.OpenFile(name, create, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return openExisting(name, mode)
	}
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "lock", Path: name, Err: err}
	}
	return f, nil
}

func openExisting(name string, mode FileMode) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return os.OpenFile(name, os.O_WRONLY|dontWait, 0)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	if err := prepare(f, mode); err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "write", Path: name, Err: err}
	}
	return f, nil
}

// prepare brings an existing regular file into the state the mode asks for.
// The lock comes first, so that nothing in use is emptied.
func prepare(f *os.File, mode FileMode) error {
	if err := lock(f); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	switch mode {
	case ReplaceFile:
		if err := f.Chmod(0o600); err != nil {
			return err
		}
		return f.Truncate(0)
	case AppendFile:
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err != nil && err != io.EOF {
			return err
		}
		if last[0] != '\n' {
			_, err := f.Write([]byte("\n"))
			return err
		}
		return nil
	default:
		return ErrExists
	}
}

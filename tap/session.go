package tap

import (
	"context"
	"io"
	"os"
	"time"

	"helpdesk/transcript"
)

// session is one run of a server behind the tap.
type session struct {
	cfg   Config
	queue *queue
	rec   *recorder
	child *child
	// The tap's ends of the server's streams.
	toServer   *os.File
	fromServer [streams]*os.File
	// outputs has a value for each output stream that has ended.
	outputs chan int
	// inputDone is closed when the client's input is no longer passed.
	inputDone chan struct{}
}

func newSession(cfg Config) *session {
	if cfg.QueueBytes <= 0 {
		cfg.QueueBytes = DefaultQueueBytes
	}
	if cfg.QueueCount <= 0 {
		cfg.QueueCount = DefaultQueueCount
	}
	if cfg.Grace <= 0 {
		cfg.Grace = DefaultGrace
	}
	s := &session{cfg: cfg, outputs: make(chan int, streams), inputDone: make(chan struct{})}
	s.queue = newQueue(cfg.QueueBytes, cfg.QueueCount, cfg.Exact)
	s.rec = newRecorder(&s.cfg, s.queue)
	return s
}

func (s *session) run(ctx context.Context) (Result, error) {
	go s.rec.run()
	if err := s.start(); err != nil {
		s.queue.pushEvent(stdin, transcript.Record{Kind: transcript.KindExit, Error: err.Error()})
		res := Result{Status: err.ExitCode()}
		s.finish(ctx, &res)
		return res, err
	}
	s.queue.pushEvent(stdin, transcript.Record{Kind: transcript.KindStart, PID: s.child.pid})
	go s.input()
	go s.output(stdout, s.cfg.Stdout)
	go s.output(stderr, s.cfg.Stderr)

	sent, err := s.wait(ctx)
	res := s.child.result()
	exit := transcript.Record{Kind: transcript.KindExit, Status: res.Status}
	if res.Signal != nil {
		exit.Signal = signalName(res.Signal)
	}
	s.queue.pushEvent(stdin, exit)
	s.settle(ctx, sent)
	s.finish(ctx, &res)
	return res, err
}

// start makes the streams and starts the server on them.
func (s *session) start() *StartError {
	fail := func(err error, files ...*os.File) *StartError {
		for _, f := range files {
			f.Close()
		}
		return &StartError{Command: s.cfg.Command[0], Err: err}
	}
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return fail(err, inRead, inWrite)
	}
	errRead, errWrite, err := os.Pipe()
	if err != nil {
		return fail(err, inRead, inWrite, outRead, outWrite)
	}
	s.child, err = startChild(s.cfg, inRead, outWrite, errWrite)
	if err != nil {
		return fail(err, inRead, inWrite, outRead, outWrite, errRead, errWrite)
	}
	// The server has its ends now; the tap must not keep them open.
	inRead.Close()
	outWrite.Close()
	errWrite.Close()
	s.toServer = inWrite
	s.fromServer[stdout], s.fromServer[stderr] = outRead, errRead
	return nil
}

// wait passes signals on until the server has ended. It returns the last
// signal that asked for the end, and the context's cause when that ended the session.
func (s *session) wait(ctx context.Context) (sent os.Signal, err error) {
	done, signals := ctx.Done(), s.cfg.Signals
	var kill <-chan time.Time
	for {
		select {
		case <-s.child.exited:
			return sent, err
		case sig, ok := <-signals:
			if !ok {
				signals = nil
				continue
			}
			s.child.signal(sig)
			if asksToEnd(sig) {
				sent = sig
			}
		case <-done:
			done = nil
			err = context.Cause(ctx)
			sent = terminate
			s.toServer.Close()
			s.child.signal(terminate)
			kill = time.After(s.cfg.Grace)
		case <-kill:
			s.child.killGroup()
		}
	}
}

// settle waits for the streams after the server's end and ends what the server
// has left behind.
func (s *session) settle(ctx context.Context, sent os.Signal) {
	if sent != nil {
		s.child.signalGroup(sent)
	}
	// Who writes to the server now writes to nobody.
	s.toServer.Close()
	deadline := time.Now().Add(s.cfg.Grace)
	s.stopInput(deadline)
	for _, f := range s.fromServer[stdout:] {
		// Without deadlines the wait below is the only bound.
		_ = f.SetReadDeadline(deadline)
	}
	signals, done := s.cfg.Signals, ctx.Done()
	// Who asked for the end does not wait for ever on a client that does not
	// read what is left.
	var impatient <-chan time.Time
	if sent != nil {
		timer := time.NewTimer(s.cfg.Grace)
		defer timer.Stop()
		impatient = timer.C
	}
	for open := 2; open > 0; {
		select {
		case <-impatient:
			open = 0
		case <-s.outputs:
			open--
		case sig, ok := <-signals:
			if !ok {
				signals = nil
			} else if asksToEnd(sig) {
				// The client does not read what is left.
				open = 0
			}
		case <-done:
			open = 0
		}
	}
	s.child.endGroup()
	for _, f := range s.fromServer[stdout:] {
		f.Close()
	}
}

// stopInput ends the reading of the client's input, where that is possible. A
// Read that cannot be interrupted stays behind, as [Config] says.
func (s *session) stopInput(deadline time.Time) {
	in, ok := s.cfg.Stdin.(interface{ SetReadDeadline(time.Time) error })
	if s.cfg.Stdin != nil && (!ok || in.SetReadDeadline(time.Now()) != nil) {
		return
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case <-s.inputDone:
	case <-timer.C:
	}
}

// finish ends the record. It waits for a slow log no longer than the grace or,
// when the record is to be exact, until a signal or the context says that it
// has taken long enough.
func (s *session) finish(ctx context.Context, res *Result) {
	s.queue.close()
	timer := time.NewTimer(s.cfg.Grace)
	defer timer.Stop()
	expired := timer.C
	var done <-chan struct{}
	var signals <-chan os.Signal
	if s.cfg.Exact && ctx.Err() == nil {
		expired, done, signals = nil, ctx.Done(), s.cfg.Signals
	}
	timedOut := false
	for waiting := true; waiting; {
		select {
		case <-s.rec.finished:
			waiting = false
		case <-expired:
			waiting, timedOut = false, true
		case <-done:
			waiting, timedOut = false, true
		case sig, ok := <-signals:
			if !ok {
				signals = nil
			} else if asksToEnd(sig) {
				waiting, timedOut = false, true
			}
		}
	}
	res.LostLines, res.LostBytes = s.queue.lost()
	res.LostLines += s.rec.lostLines.Load()
	res.LostBytes += s.rec.lostBytes.Load()
	if err := s.rec.logErr.Load(); err != nil {
		res.LogErr = *err
	} else if timedOut {
		res.LogErr = errSlowLog
	}
}

// input passes what the client sends.
func (s *session) input() {
	defer close(s.inputDone)
	var failed error
	if s.cfg.Stdin != nil {
		failed = s.pump(stdin, s.toServer, s.cfg.Stdin)
	}
	// Recorded first, like all that passes: the server may end at once.
	s.ended(stdin, failed)
	s.toServer.Close()
	if in, ok := s.cfg.Stdin.(io.Closer); ok && s.cfg.PipeEnds {
		in.Close()
	}
}

// output passes what the server sends on one stream.
func (s *session) output(stream int, dst io.Writer) {
	if dst == nil {
		dst = io.Discard
	}
	failed := s.pump(stream, dst, s.fromServer[stream])
	// After a failed write this gives the server the same failure.
	s.fromServer[stream].Close()
	s.ended(stream, failed)
	if out, ok := dst.(io.Closer); ok && s.cfg.PipeEnds && stream == stdout {
		out.Close()
	}
	s.outputs <- stream
}

// ended records the end of a stream.
func (s *session) ended(stream int, failed error) {
	name := streamNames[stream]
	rec := transcript.Record{Kind: transcript.KindEOF, Direction: name.Direction(), Stream: name}
	if failed != nil {
		rec.Error = failed.Error()
	}
	s.queue.pushEvent(stream, rec)
}

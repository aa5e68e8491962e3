package proc_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"helpdesk/bench/proc"
)

func TestParseStatus(t *testing.T) {
	t.Parallel()
	const text = "Name:\tserver\nVmPeak:\t 1234 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\nThreads:\t7\n"
	got, err := proc.ParseStatus([]byte(text))
	want := proc.Memory{Resident: 1 << 20, Peak: 2 << 20, Threads: 7}
	if err != nil || got != want {
		t.Errorf("ParseStatus = %+v, %v, want %+v", got, err, want)
	}
	for _, broken := range []string{
		"", strings.Replace(text, "VmRSS", "VmXXX", 1), strings.Replace(text, "1024 kB", "1024 MB", 1), strings.Replace(text, "1024", "many", 1),
	} {
		if got, err := proc.ParseStatus([]byte(broken)); err == nil {
			t.Errorf("ParseStatus(%q) = %+v without an error", broken, got)
		}
	}
}

func TestParseCollected(t *testing.T) {
	t.Parallel()
	log := []byte("==7== Callgrind\n==7== \n==7== Events    : Ir\n==7== Collected : 7654321\n==7== \n")
	if got, err := proc.ParseCollected(log); err != nil || got != 7654321 {
		t.Errorf("ParseCollected = %d, %v", got, err)
	}
	for _, broken := range []string{"", "==7== Collected : x\n"} {
		if got, err := proc.ParseCollected([]byte(broken)); err == nil {
			t.Errorf("ParseCollected(%q) = %d without an error", broken, got)
		}
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	t.Parallel()
	var tail proc.Tail
	for range 1000 {
		if _, err := tail.Write([]byte("some log line\n")); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = tail.Write(bytes.Repeat([]byte("z"), 10<<10))
	_, _ = tail.Write([]byte("the end"))
	if got := tail.String(); len(got) != 4<<10 || !strings.HasSuffix(got, "zthe end") {
		t.Errorf("kept %d bytes, ending in %q", len(got), got[max(0, len(got)-10):])
	}
}

// A process echoes lines through the pipes and its resources can be read.
func TestProcess(t *testing.T) {
	t.Parallel()
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Fatal(err)
	}
	cores, err := proc.Cores()
	if err != nil {
		t.Fatal(err)
	}
	p, err := proc.Start(proc.Command{Path: cat}, cores[0], cores[0])
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Send([]byte("one\ntwo\n")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for len(got) < 2 {
		lines, err := p.Receive()
		if err != nil {
			t.Fatal(err)
		}
		for line, ok := lines.Next(); ok; line, ok = lines.Next() {
			got = append(got, string(line))
		}
	}
	if strings.Join(got, ",") != "one,two" {
		t.Errorf("got %q", got)
	}
	if used, err := p.CPU(); err != nil || used <= 0 {
		t.Errorf("CPU = %v, %v", used, err)
	}
	if memory, err := p.Memory(); err != nil || memory.Resident == 0 || memory.Peak < memory.Resident || memory.Threads != 1 {
		t.Errorf("Memory = %+v, %v", memory, err)
	}
	p.Close()
	if _, err := p.Memory(); err == nil {
		t.Error("the process is still there after Close")
	}
}

// SPDX-License-Identifier: Apache-2.0

// Kubernetes' EventRateLimit with the limits and events of ../bench_events.c.  peers.py
// compiles this file as a part of Kubernetes' package.
package eventratelimit

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	api "k8s.io/kubernetes/pkg/apis/core"
)

const (
	limenServer    = `{"type":"Server","qps":1000000000,"burst":1000000000}`
	limenRoomy     = `"qps":1000000000,"burst":1000000000,"cacheSize":4096}`
	limenNamespace = `{"type":"Namespace",` + limenRoomy
	limenUser      = `{"type":"User",` + limenRoomy
	limenSource    = `{"type":"SourceAndObject",` + limenRoomy
	limenOnce      = `{"type":"Namespace","qps":1,"burst":1}`
)

// limenPlugin makes the plugin as an API server does, of its configuration file.
func limenPlugin(b *testing.B, limits ...string) admission.ValidationInterface {
	config := `{"apiVersion":"eventratelimit.admission.k8s.io/v1alpha1","kind":"Configuration","limits":[` +
		strings.Join(limits, ",") + `]}`
	plugins := admission.NewPlugins()
	Register(plugins)
	plugin, err := plugins.InitPlugin(PluginName, strings.NewReader(config), admission.PluginInitializers{})
	if err != nil {
		b.Fatal(err)
	}
	return plugin.(admission.ValidationInterface)
}

func limenEvent(number int) admission.Attributes {
	event := &api.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "e"},
		InvolvedObject: api.ObjectReference{
			Kind:       "Pod",
			Namespace:  "shop",
			Name:       fmt.Sprintf("pod-%d", number),
			UID:        "3f0c7a52-9a0e-4e63-8f0b-0b6f2b9d51c7",
			APIVersion: "v1",
		},
		Source: api.EventSource{Component: "kubelet", Host: "node-17.example.org"},
	}
	namespace := fmt.Sprintf("team-payments-and-checkout-staging-environment-%019d", number)

	return admission.NewAttributesRecord(event, nil, api.Kind("Event").WithVersion("v1"), namespace,
		"e", api.Resource("events").WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{},
		false, &user.DefaultInfo{Name: "system:node:node-17"})
}

// limenEvents returns events of that many namespaces in an order that no cache foresees.
func limenEvents(count int) []admission.Attributes {
	events := make([]admission.Attributes, count)
	for i, number := range rand.Perm(count) {
		events[i] = limenEvent(number)
	}
	return events
}

func limenProcessTime() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// limenDecide measures the processor time of the process, with that of the garbage collector,
// besides the wall-clock time.  It returns how many events were refused.
func limenDecide(b *testing.B, plugin admission.ValidationInterface, events []admission.Attributes) int {
	refused, next := 0, 0

	b.ResetTimer()
	start := limenProcessTime()
	for i := 0; i < b.N; i++ {
		if plugin.Validate(context.TODO(), events[next], nil) != nil {
			refused++
		}
		if next++; next == len(events) {
			next = 0
		}
	}
	b.ReportMetric(float64(limenProcessTime()-start)/float64(b.N), "cpu-ns/op")
	b.StopTimer()
	return refused
}

func limenAdmit(b *testing.B, plugin admission.ValidationInterface) {
	if limenDecide(b, plugin, limenEvents(1000)) > 0 {
		b.Fatal("an event was refused")
	}
}

func BenchmarkLimenTwo(b *testing.B) {
	limenAdmit(b, limenPlugin(b, limenServer, limenNamespace))
}

func BenchmarkLimenFour(b *testing.B) {
	limenAdmit(b, limenPlugin(b, limenServer, limenNamespace, limenUser, limenSource))
}

// One bucket that is empty: all but one event a second are refused.
func BenchmarkLimenRefuse(b *testing.B) {
	refused := limenDecide(b, limenPlugin(b, limenOnce), limenEvents(1))
	if refused < b.N-10 {
		b.Fatalf("%d of %d events were refused", refused, b.N)
	}
}

// The same limits while a second goroutine asks all the time, on another core.
func BenchmarkLimenBeside(b *testing.B) {
	plugin := limenPlugin(b, limenServer, limenNamespace)
	other := limenEvents(1000)
	ended, done := int32(0), make(chan struct{})

	go func() {
		for i := 0; atomic.LoadInt32(&ended) == 0; i++ {
			plugin.Validate(context.TODO(), other[i%len(other)], nil)
		}
		close(done)
	}()
	limenAdmit(b, plugin)
	atomic.StoreInt32(&ended, 1)
	<-done
}

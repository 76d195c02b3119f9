// SPDX-License-Identifier: Apache-2.0

// Kubernetes' LimitRanger with the LimitRange and the pod of ../bench_ranger.c.  peers.py
// compiles this file as a part of Kubernetes' package.
package limitranger

import (
	"context"
	"encoding/json"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admission/install"
	api "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
)

func limenFile(b *testing.B, name string) []byte {
	text, err := ioutil.ReadFile(filepath.Join(os.Getenv("LIMEN_BENCH_DIR"), name))
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// limenPlugin makes the plugin as an API server does; its lister has the LimitRanges of the
// policy, from a client that asks no server.
func limenPlugin(b *testing.B) *LimitRanger {
	var policy struct {
		Admission []struct {
			Data struct{ Manifests []*corev1.LimitRange }
		}
	}
	if err := json.Unmarshal(limenFile(b, "policies/ranger.json"), &policy); err != nil {
		b.Fatal(err)
	}
	objects := []runtime.Object{}
	for _, manifest := range policy.Admission[0].Data.Manifests {
		objects = append(objects, manifest)
	}
	client := fake.NewSimpleClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	plugins := admission.NewPlugins()
	Register(plugins)
	plugin, err := plugins.InitPlugin(PluginName, strings.NewReader(""), initializer.New(client, factory, nil, nil))
	if err != nil {
		b.Fatal(err)
	}
	stop := make(chan struct{})
	b.Cleanup(func() { close(stop) })
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	return plugin.(*LimitRanger)
}

// limenRead reads a review with Kubernetes' decoder, and its pod as plugins get it.
func limenRead(b *testing.B, text []byte) (*admissionv1.AdmissionRequest, *api.Pod) {
	review, pod, internal := &admissionv1.AdmissionReview{}, &corev1.Pod{}, &api.Pod{}
	decoder := legacyscheme.Codecs.UniversalDeserializer()
	if _, _, err := decoder.Decode(text, nil, review); err != nil {
		b.Fatal(err)
	}
	if _, _, err := decoder.Decode(review.Request.Object.Raw, nil, pod); err != nil {
		b.Fatal(err)
	}
	if err := legacyscheme.Scheme.Convert(pod, internal, nil); err != nil {
		b.Fatal(err)
	}
	return review.Request, internal
}

func limenAttributes(request *admissionv1.AdmissionRequest, pod *api.Pod) admission.Attributes {
	return admission.NewAttributesRecord(pod, nil, api.Kind("Pod").WithVersion("v1"), request.Namespace,
		pod.Name, api.Resource("pods").WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{},
		false, &user.DefaultInfo{Name: request.UserInfo.Username, Groups: request.UserInfo.Groups})
}

func limenDecide(b *testing.B, plugin *LimitRanger, attributes admission.Attributes) {
	if err := plugin.Admit(context.TODO(), attributes, nil); err != nil {
		b.Fatal(err)
	}
	if err := plugin.Validate(context.TODO(), attributes, nil); err != nil {
		b.Fatal(err)
	}
}

func limenProcessTime() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// limenMeasure takes the processor time of the process, with that of the garbage collector.
func limenMeasure(b *testing.B, run func()) {
	b.ResetTimer()
	start := limenProcessTime()
	for i := 0; i < b.N; i++ {
		run()
	}
	b.ReportMetric(float64(limenProcessTime()-start)/float64(b.N), "cpu-ns/op")
}

// The plugin changes the pod itself, so that each round takes the changes back.
func BenchmarkLimenBoth(b *testing.B) {
	plugin := limenPlugin(b)
	request, pod := limenRead(b, limenFile(b, "reviews/pod-large.json"))
	attributes := limenAttributes(request, pod)

	limenMeasure(b, func() {
		limenDecide(b, plugin, attributes)
		if len(pod.Spec.Containers[1].Resources.Limits) != 2 {
			b.Fatal("the container was given no defaults")
		}
		pod.Spec.Containers[1].Resources = api.ResourceRequirements{}
		delete(pod.Annotations, limitRangerAnnotation)
	})
}

// As it came the pod lacks what it is to be given.
func BenchmarkLimenRefuse(b *testing.B) {
	plugin := limenPlugin(b)
	attributes := limenAttributes(limenRead(b, limenFile(b, "reviews/pod-large.json")))

	limenMeasure(b, func() {
		if plugin.Validate(context.TODO(), attributes, nil) == nil {
			b.Fatal("the pod was admitted")
		}
	})
}

type limenChange struct {
	Op    string      `json:"op"`
	Path  string      `json:"path"`
	Value interface{} `json:"value"`
}

// limenAnswer writes the patch of the two things that the plugin sets; comparing two pods, as
// most webhooks in Go do, takes longer.
func limenAnswer(b *testing.B, request *admissionv1.AdmissionRequest, pod *api.Pod, given []int) []byte {
	changes := []limenChange{{"add", "/metadata/annotations/kubernetes.io~1limit-ranger",
		pod.Annotations[limitRangerAnnotation]}}
	for _, i := range given {
		resources := pod.Spec.Containers[i].Resources
		changes = append(changes, limenChange{"add", fmt.Sprintf("/spec/containers/%d/resources", i),
			map[string]interface{}{"limits": resources.Limits, "requests": resources.Requests}})
	}
	patch, err := json.Marshal(changes)
	if err != nil {
		b.Fatal(err)
	}
	kind := admissionv1.PatchTypeJSONPatch
	answer, err := json.Marshal(&admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Response: &admissionv1.AdmissionResponse{UID: request.UID, Allowed: true, Patch: patch, PatchType: &kind},
	})
	if err != nil {
		b.Fatal(err)
	}
	return answer
}

func BenchmarkLimenBytes(b *testing.B) {
	plugin, text := limenPlugin(b), limenFile(b, "reviews/pod-large.json")

	limenMeasure(b, func() {
		request, pod := limenRead(b, text)
		given := []int{}
		for i := range pod.Spec.Containers {
			if len(pod.Spec.Containers[i].Resources.Limits) == 0 {
				given = append(given, i)
			}
		}
		limenDecide(b, plugin, limenAttributes(request, pod))
		if len(limenAnswer(b, request, pod, given)) < 300 {
			b.Fatal("the answer has no patch")
		}
	})
}

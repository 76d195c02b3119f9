{{/* A file of deploy/kubernetes, for the namespace of the release.  Takes a list: root, name. */}}
{{- define "limend.file" -}}
{{- $root := index . 0 -}}
{{- $text := $root.Files.Get (printf "files/%s" (index . 1)) | required (printf "the chart lacks files/%s" (index . 1)) -}}
{{- $namespace := $root.Release.Namespace -}}
{{- $text | replace "namespace: limen\n" (printf "namespace: %s\n" $namespace) | replace ".limen.svc" (printf ".%s.svc" $namespace) -}}
{{- end }}

{{/* The files of the policy: a JSON object. */}}
{{- define "limend.policy" -}}
{{- $policy := dict -}}
{{- if .Values.webhooks.events.enabled -}}
{{- $_ := set $policy "events.yaml" (include "limend.file" (list . "components/events/events.yaml")) -}}
{{- end -}}
{{- if or .Values.webhooks.limits.enabled .Values.webhooks.workloads.enabled -}}
{{- $_ := set $policy "limits.yaml" (include "limend.file" (list . "components/limits/limits.yaml")) -}}
{{- end -}}
{{- if .Values.redis.enabled -}}
{{- $store := include "limend.file" (list . "components/redis/store.yaml") -}}
{{- $_ := set $policy "store.yaml" ($store | replace "replicas: 2" (printf "replicas: %v" .Values.replicas)) -}}
{{- end -}}
{{- merge (deepCopy .Values.policy) $policy | toJson -}}
{{- end }}

{{/* The name of its ConfigMap: a changed policy is a rollout. */}}
{{- define "limend.policyName" -}}
limen-policy-{{ include "limend.policy" . | sha256sum | trunc 10 }}
{{- end }}

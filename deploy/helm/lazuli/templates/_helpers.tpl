{{- define "lazuli.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- /* The name of the release, with that of the chart if it is not part of it. Ten characters stay for suffixes. */}}
{{- define "lazuli.fullname" -}}
{{- $name := include "lazuli.name" . }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 53 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 53 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "lazuli.selector" -}}
app.kubernetes.io/name: {{ include "lazuli.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "lazuli.labels" -}}
{{ include "lazuli.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- end }}

{{- define "lazuli.accountsSecret" -}}
{{- .Values.accounts.existingSecret | default (printf "%s-accounts" (include "lazuli.fullname" .)) }}
{{- end }}

{{- define "lazuli.hbaseConfigMap" -}}
{{- .Values.hbase.existingConfigMap | default (printf "%s-hbase" (include "lazuli.fullname" .)) }}
{{- end }}

{{- define "lazuli.accountKeys" -}}
{{- range $name, $keys := .Values.accounts.keys }}{{ $name }}:{{ join ":" $keys }};{{ end }}
{{- end }}

{{- /* Numbers of values files are floating-point: 20000000 must not become 2e+07. */}}
{{- define "lazuli.text" -}}
{{- if kindIs "float64" . }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- define "lazuli.ports" -}}
- name: blob
  port: 10000
  targetPort: blob
- name: queue
  port: 10001
  targetPort: queue
- name: table
  port: 10002
  targetPort: table
{{- end }}

{{- /* Refuses values that contradict each other. values.schema.json checks each value for itself. */}}
{{- define "lazuli.check" -}}
{{- $accounts := .Values.accounts }}
{{- if and $accounts.existingSecret $accounts.keys }}
{{- fail "accounts.existingSecret and accounts.keys exclude each other" }}
{{- end }}
{{- if not (or $accounts.existingSecret $accounts.keys) }}
{{- fail "accounts.existingSecret or accounts.keys is required; there is no default account, because the key of devstoreaccount1 is public" }}
{{- end }}
{{- if eq .Values.engine "hbase" }}
{{- if and .Values.hbase.existingConfigMap .Values.hbase.site }}
{{- fail "hbase.existingConfigMap and hbase.site exclude each other" }}
{{- end }}
{{- if not (or .Values.hbase.existingConfigMap .Values.hbase.site) }}
{{- fail "engine hbase needs hbase.existingConfigMap or hbase.site" }}
{{- end }}
{{- end }}
{{- if .Values.admin.open }}
{{- if not .Values.tls.existingSecret }}
{{- fail "admin.open needs tls.existingSecret: passwords and tokens must not cross a network in plain text" }}
{{- end }}
{{- if not (or .Values.admin.usersSecret (index .Values.config "oidc-issuer") (index .Values.config "oidc-jwks")) }}
{{- fail "admin.open needs somebody who can sign in: admin.usersSecret, config.oidc-issuer or config.oidc-jwks" }}
{{- end }}
{{- end }}
{{- if .Values.serviceMonitor.enabled }}
{{- if not (and .Values.admin.open .Values.serviceMonitor.basicAuthSecret) }}
{{- fail "serviceMonitor.enabled needs admin.open and serviceMonitor.basicAuthSecret: beyond loopback the metrics need a sign-in" }}
{{- end }}
{{- end }}
{{- $own := list "data" "engine" "engine-config" "in-memory" "account-keys" "host" "blob-host" "queue-host" "table-host" "admin-host" "blob-port" "queue-port" "table-port" "one-port" "admin-port" "admin-tls" "tls-cert" "tls-key" "console-users" "console-hosts" "stop-seconds" }}
{{- range $key := keys .Values.config }}
{{- if has $key $own }}
{{- fail (printf "config.%s is set by the chart itself" $key) }}
{{- end }}
{{- end }}
{{- end }}

{{- /* A request to the admin port on loopback. Its argument is the path. */}}
{{- define "lazuli.ask" -}}
exec:
  command:
    - sh
    - -c
    - >-
      printf 'GET {{ . }} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
      | nc -w 5 127.0.0.1 10010 | grep -q '^HTTP/1.1 200'
{{- end }}

{{- /* A request of the kubelet to the open admin port. */}}
{{- define "lazuli.get" -}}
httpGet:
  path: {{ . }}
  port: admin
  scheme: HTTPS
  httpHeaders:
    - name: Host
      value: localhost
{{- end }}

{{- define "lazuli.variables" -}}
- name: LAZULI_JAVA_OPTS
  value: -Xms{{ div (mul .Values.heapMiB 3) 4 }}m -Xmx{{ .Values.heapMiB }}m -XX:+UseSerialGC
- name: LAZULI_DATA
  value: /data/lazuli-data
- name: LAZULI_HOST
  value: 0.0.0.0
- name: LAZULI_STOP_SECONDS
  value: {{ .Values.stopSeconds | quote }}
- name: LAZULI_ACCOUNT_KEYS
  valueFrom:
    secretKeyRef:
      name: {{ include "lazuli.accountsSecret" . }}
      key: account-keys
{{- if eq .Values.engine "hbase" }}
- name: LAZULI_ENGINE
  value: hbase
- name: LAZULI_ENGINE_CONFIG
  value: /etc/lazuli/hbase/hbase-site.xml
{{- end }}
{{- if .Values.tls.existingSecret }}
- name: LAZULI_TLS_CERT
  value: /etc/lazuli/tls/tls.crt
- name: LAZULI_TLS_KEY
  value: /etc/lazuli/tls/tls.key
{{- end }}
{{- if .Values.admin.open }}
- name: LAZULI_ADMIN_HOST
  value: 0.0.0.0
{{- $name := include "lazuli.fullname" . }}
- name: LAZULI_CONSOLE_HOSTS
  value: {{ concat .Values.admin.hosts (list (printf "%s-admin.%s.svc" $name .Release.Namespace) (printf "%s-admin" $name)) | join "," }}
{{- if .Values.admin.usersSecret }}
- name: LAZULI_CONSOLE_USERS
  value: /etc/lazuli/users/users
{{- end }}
{{- end }}
{{- range $key, $value := .Values.config }}
- name: LAZULI_{{ $key | upper | replace "-" "_" }}
  value: {{ include "lazuli.text" $value | quote }}
{{- end }}
{{- end }}

{{- define "lazuli.pod" -}}
metadata:
  labels:
    {{- include "lazuli.selector" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # The server reads its variables and the configuration of HBase at its start only.
    checksum/config: {{ list .Values.accounts.keys .Values.hbase.site | toJson | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  terminationGracePeriodSeconds: {{ add .Values.stopSeconds 10 }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext:
    {{- toYaml .Values.podSecurityContext | nindent 4 }}
  {{- with .Values.serviceAccountName }}
  serviceAccountName: {{ . }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.initContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: lazuli
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [lazuli, serve]
      env:
        {{- include "lazuli.variables" . | nindent 8 }}
        {{- with .Values.env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - name: blob
          containerPort: 10000
        - name: queue
          containerPort: 10001
        - name: table
          containerPort: 10002
        {{- if .Values.admin.open }}
        - name: admin
          containerPort: 10010
        {{- end }}
      {{- $probe := ternary "lazuli.get" "lazuli.ask" .Values.admin.open }}
      # After a crash the start takes as long as reading the log does.
      startupProbe:
        {{- include $probe "/readyz" | nindent 8 }}
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 300
      readinessProbe:
        {{- include $probe "/readyz" | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      livenessProbe:
        {{- include $probe "/livez" | nindent 8 }}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      lifecycle:
        # Kubernetes removes the pod from its services while it stops it.
        preStop:
          exec:
            command: [sleep, "5"]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        {{- toYaml .Values.securityContext | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- if eq .Values.engine "hbase" }}
        - name: hbase
          mountPath: /etc/lazuli/hbase
          readOnly: true
        {{- end }}
        {{- if .Values.tls.existingSecret }}
        - name: tls
          mountPath: /etc/lazuli/tls
          readOnly: true
        {{- end }}
        {{- if and .Values.admin.open .Values.admin.usersSecret }}
        - name: users
          mountPath: /etc/lazuli/users
          readOnly: true
        {{- end }}
        {{- with .Values.volumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq .Values.engine "hbase" }}
    # The data is in the cluster. The folder has files of the running process only.
    - name: data
      emptyDir: {}
    - name: hbase
      configMap:
        name: {{ include "lazuli.hbaseConfigMap" . }}
    {{- end }}
    {{- if .Values.tls.existingSecret }}
    - name: tls
      secret:
        secretName: {{ .Values.tls.existingSecret }}
        defaultMode: 0440
    {{- end }}
    {{- if and .Values.admin.open .Values.admin.usersSecret }}
    - name: users
      secret:
        secretName: {{ .Values.admin.usersSecret }}
        defaultMode: 0440
    {{- end }}
    {{- with .Values.volumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

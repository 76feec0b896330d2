package io.lazuli.dist;

import static io.lazuli.dist.Chart.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** What Helm makes from the chart, with its examples and with values that it must refuse. */
class HelmIT {
  private static final String OPEN =
      Chart.MINIMAL
          + "tls: {existingSecret: lazuli-tls}\nadmin: {open: true, usersSecret: users}\n";
  private static final String HBASE =
      Chart.MINIMAL + "engine: hbase\nhbase: {replicas: 3, site: {hbase.zookeeper.quorum: z}}\n";

  @TempDir private Path folder;

  static Stream<Path> examples() throws Exception {
    return Chart.examples().stream();
  }

  @Test
  void theChartPassesHelmsRules() {
    LintResult result = new Helm(Chart.SOURCE).lint().strict().call();
    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
  }

  /**
   * Helm lints with the values of the chart only, so a copy of the chart gets those of the example.
   */
  @ParameterizedTest
  @MethodSource("examples")
  void theExamplesPassHelmsRules(Path example) throws Exception {
    Path copy = folder.resolve("lazuli");
    Dist.run(Map.of("PATH", "/usr/bin:/bin"), "cp", "-r", Chart.SOURCE.toString(), copy.toString());
    Map<String, Object> values = yaml(copy.resolve("values.yaml"));
    merge(values, yaml(example));
    Files.writeString(copy.resolve("values.yaml"), new Yaml().dump(values));
    LintResult result = new Helm(copy).lint().strict().call();
    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
  }

  /** The classes of Kubernetes' own client refuse fields that Kubernetes would ignore. */
  @ParameterizedTest
  @MethodSource("examples")
  void kubernetesKnowsEveryField(Path example) throws Exception {
    Chart chart = Chart.render(Chart.SOURCE, example);
    assertThat(chart.kinds()).contains("Service", "PodDisruptionBudget");
    for (Map<String, Object> object : chart.objects()) {
      if (!object.get("kind").equals("ServiceMonitor")) {
        Class.forName("io.kubernetes.client.openapi.models.V1" + object.get("kind"))
            .getMethod("validateJsonElement", JsonElement.class)
            .invoke(null, new Gson().toJsonTree(object));
      }
      assertThat(at(object, "metadata", "namespace")).isEqualTo("apps");
      assertThat(at(object, "metadata", "labels", "app.kubernetes.io/instance"))
          .isEqualTo("lazuli");
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyVariableIsASetting(Path example) throws Exception {
    List<String> known =
        Pattern.compile("^\\| `([a-z-]+)` \\|", Pattern.MULTILINE)
            .matcher(Files.readString(Dist.SOURCE.resolve("docs/configuration.md")))
            .results()
            .map(row -> "LAZULI_" + row.group(1).toUpperCase(Locale.ROOT).replace('-', '_'))
            .collect(Collectors.toList());
    assertThat(known).contains("LAZULI_TABLE_PORT", "LAZULI_ACCOUNT_KEYS");
    // This one is for the start script.
    known.add("LAZULI_JAVA_OPTS");
    List<?> variables = (List<?>) Chart.render(Chart.SOURCE, example).container().get("env");
    assertThat(variables).hasSizeGreaterThan(4);
    assertThat(variables).map(variable -> at(variable, "name").toString()).isSubsetOf(known);
    assertThat(variables).map(variable -> at(variable, "name")).doesNotHaveDuplicates();
  }

  @Test
  void rocksDbHasOneServer() throws Exception {
    Chart chart = Chart.render(Chart.MINIMAL, folder);
    assertThat(chart.kinds())
        .containsExactlyInAnyOrder("StatefulSet", "Service", "Service", "PodDisruptionBudget");
    Map<String, Object> set = chart.one("StatefulSet", "lazuli");
    assertThat(at(set, "spec", "replicas")).isEqualTo(1);
    assertThat(at(set, "spec", "volumeClaimTemplates", 0, "spec", "resources", "requests"))
        .isEqualTo(Map.of("storage", "20Gi"));
    Map<String, Object> headless = chart.one("Service", at(set, "spec", "serviceName").toString());
    assertThat(at(headless, "spec", "clusterIP")).isEqualTo("None");
    assertThat(at(chart.container(), "volumeMounts"))
        .isEqualTo(
            List.of(
                Map.of("name", "data", "mountPath", "/data"),
                Map.of("name", "tmp", "mountPath", "/tmp")));
  }

  @Test
  void hbaseHasManyServers() throws Exception {
    Chart chart = Chart.render(HBASE, folder);
    assertThat(chart.kinds())
        .containsExactlyInAnyOrder("Deployment", "Service", "ConfigMap", "PodDisruptionBudget");
    Map<String, Object> deployment = chart.one("Deployment", "lazuli");
    assertThat(at(deployment, "spec", "replicas")).isEqualTo(3);
    assertThat(at(deployment, "spec", "strategy", "type")).isEqualTo("Recreate");
    assertThat(chart.variable("LAZULI_ENGINE")).containsEntry("value", "hbase");
    assertThat(chart.variable("LAZULI_ENGINE_CONFIG"))
        .containsEntry("value", "/etc/lazuli/hbase/hbase-site.xml");
    assertThat(at(chart.one("ConfigMap", "lazuli-hbase"), "data", "hbase-site.xml").toString())
        .contains("<property><name>hbase.zookeeper.quorum</name><value>z</value></property>");
    assertThat(at(chart.pod(), "volumes").toString())
        .contains("{name=data, emptyDir={}}", "configMap={name=lazuli-hbase}");
  }

  @Test
  void theServicesLeadToThePods() throws Exception {
    Chart chart = Chart.render(OPEN, folder);
    Object labels =
        at(chart.one("StatefulSet", "lazuli"), "spec", "template", "metadata", "labels");
    assertThat(chart.all("Service"))
        .allSatisfy(service -> assertThat(at(service, "spec", "selector")).isEqualTo(labels));
    assertThat(chart.all("PodDisruptionBudget"))
        .allSatisfy(
            budget -> assertThat(at(budget, "spec", "selector", "matchLabels")).isEqualTo(labels));
    assertThat(ports(at(chart.container(), "ports"), "containerPort"))
        .isEqualTo(Map.of("blob", 10000, "queue", 10001, "table", 10002, "admin", 10010));
    // Not the admin port: this one may be a load balancer.
    assertThat(ports(at(chart.one("Service", "lazuli"), "spec", "ports"), "port"))
        .isEqualTo(Map.of("blob", 10000, "queue", 10001, "table", 10002));
    assertThat(ports(at(chart.one("Service", "lazuli-admin"), "spec", "ports"), "port"))
        .isEqualTo(Map.of("admin", 10010));
  }

  /** HelmRunIT runs the commands. */
  @Test
  void theProbesAskTheAdminPort() throws Exception {
    Map<String, Object> closed = Chart.render(Chart.MINIMAL, folder).container();
    Map<String, Object> open = Chart.render(OPEN, folder).container();
    assertThat(open).doesNotContainKey("command");
    Map.of("startupProbe", "/readyz", "readinessProbe", "/readyz", "livenessProbe", "/livez")
        .forEach(
            (probe, path) -> {
              assertThat(at(closed, probe, "exec", "command", 2).toString())
                  .contains("GET " + path + " HTTP/1.1", "127.0.0.1 10010");
              assertThat(at(open, probe, "exec")).isNull();
              assertThat(at(open, probe, "httpGet", "path")).isEqualTo(path);
              assertThat(at(open, probe, "httpGet", "port")).isEqualTo("admin");
              assertThat(at(open, probe, "httpGet", "scheme")).isEqualTo("HTTPS");
            });
  }

  @Test
  void thePodIsRestricted() throws Exception {
    Chart chart = Chart.render(Chart.MINIMAL, folder);
    assertThat(at(chart.pod(), "securityContext"))
        .isEqualTo(
            Map.of(
                "runAsNonRoot",
                true,
                "runAsUser",
                1000,
                "runAsGroup",
                1000,
                "fsGroup",
                1000,
                "fsGroupChangePolicy",
                "OnRootMismatch",
                "seccompProfile",
                Map.of("type", "RuntimeDefault")));
    assertThat(at(chart.container(), "securityContext"))
        .isEqualTo(
            Map.of(
                "allowPrivilegeEscalation",
                false,
                "readOnlyRootFilesystem",
                true,
                "capabilities",
                Map.of("drop", List.of("ALL"))));
    assertThat(chart.pod()).containsEntry("automountServiceAccountToken", false);
  }

  /** Heap, 384 MiB outside of it (README), and something for the process itself. */
  @Test
  void memoryAndTimeSuffice() throws Exception {
    Chart chart = Chart.render(Chart.MINIMAL, folder);
    assertThat(at(chart.container(), "resources", "limits", "memory")).isEqualTo("1Gi");
    assertThat(chart.variable("LAZULI_JAVA_OPTS").get("value").toString()).contains("-Xmx512m");
    assertThat(chart.variable("LAZULI_STOP_SECONDS")).containsEntry("value", "25");
    assertThat(at(chart.container(), "lifecycle", "preStop", "exec", "command"))
        .isEqualTo(List.of("sleep", "5"));
    assertThat(chart.pod()).containsEntry("terminationGracePeriodSeconds", 35);
  }

  @Test
  void thereIsNoDefaultAccount() throws Exception {
    assertThatThrownBy(() -> Chart.render("{}", folder))
        .hasMessageContaining("accounts.existingSecret or accounts.keys is required");
    Chart chart = Chart.render(Chart.MINIMAL, folder);
    assertThat(chart.text()).doesNotContain("devstoreaccount1", Dist.DEVELOPMENT_KEY);
    assertThat(chart.variable("LAZULI_ACCOUNT_KEYS"))
        .containsEntry(
            "valueFrom",
            Map.of("secretKeyRef", Map.of("name", "lazuli-accounts", "key", "account-keys")));
    Chart own = Chart.render("accounts: {keys: {one: [a2V5, a2V5], two: [a2V5]}}", folder);
    assertThat(at(own.one("Secret", "lazuli-accounts"), "stringData", "account-keys"))
        .isEqualTo("one:a2V5:a2V5;two:a2V5;");
  }

  @Test
  void settingsKeepTheirText() throws Exception {
    Chart chart =
        Chart.render(
            Chart.MINIMAL + "config: {account-rate: 20000000, blob-versioning: true, domain: a b}",
            folder);
    assertThat(chart.variable("LAZULI_ACCOUNT_RATE")).containsEntry("value", "20000000");
    assertThat(chart.variable("LAZULI_BLOB_VERSIONING")).containsEntry("value", "true");
    assertThat(chart.variable("LAZULI_DOMAIN")).containsEntry("value", "a b");
  }

  @Test
  void prometheusSignsIn() throws Exception {
    Chart chart =
        Chart.render(OPEN + "serviceMonitor: {enabled: true, basicAuthSecret: prometheus}", folder);
    Map<String, Object> monitor = chart.one("ServiceMonitor", "lazuli");
    assertThat(at(monitor, "apiVersion")).isEqualTo("monitoring.coreos.com/v1");
    assertThat(at(monitor, "spec", "endpoints", 0))
        .isEqualTo(
            Map.of(
                "port",
                "admin",
                "path",
                "/metrics",
                "scheme",
                "https",
                "interval",
                "30s",
                "basicAuth",
                Map.of(
                    "username", Map.of("name", "prometheus", "key", "username"),
                    "password", Map.of("name", "prometheus", "key", "password")),
                "tlsConfig",
                Map.of(
                    "serverName",
                    "lazuli-admin.apps.svc",
                    "ca",
                    Map.of("secret", Map.of("name", "lazuli-tls", "key", "ca.crt")))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "accounts: {existingSecret: a, keys: {one: [a2V5]}} | exclude each other",
        "accounts: {keys: {Upper: [a2V5]}} | invalid propertyName 'Upper'",
        "accounts: {keys: {one: ['no key']}} | at '/accounts/keys/one/0'",
        "engine: leveldb | at '/engine'",
        "replicas: 3 | additional properties 'replicas' not allowed",
        "image: {pullPolicy: Sometimes} | at '/image/pullPolicy'",
        "heapMiB: 100 | at '/heapMiB'",
        "heapMiB: 512m | at '/heapMiB'",
        "config: {Blob-Versioning: true} | invalid propertyName 'Blob-Versioning'",
        "config: {copy-source: [a]} | at '/config/copy-source'",
        "config: {tls-cert: file} | config.tls-cert is set by the chart itself",
        "config: {one-port: 8080} | config.one-port is set by the chart itself",
        "storage: {size: 20 GB} | at '/storage/size'",
        "storage: {accessModes: [ReadWriteMany]} | at '/storage/accessModes/0'",
        "engine: hbase | needs hbase.existingConfigMap or hbase.site",
        "admin: {open: true, usersSecret: u} | admin.open needs tls.existingSecret",
        "tls: {existingSecret: t} ; admin: {open: true} | admin.open needs somebody",
        "serviceMonitor: {enabled: true} | serviceMonitor.enabled needs admin.open",
        "service: {type: ExternalName} | at '/service/type'",
        "stopSeconds: 0 | at '/stopSeconds'",
      })
  void wrongValuesAreRefused(String values, String reason) {
    String all = values.startsWith("accounts") ? values : Chart.MINIMAL + values;
    assertThatThrownBy(() -> Chart.render(all.replace(" ; ", "\n"), folder))
        .hasMessageContaining(reason);
  }

  @Test
  void theNotesNameTheAddresses() throws Exception {
    String notes =
        new Helm(Chart.SOURCE)
            .install()
            .withName("lazuli")
            .withNamespace("apps")
            .withKubeVersion(Chart.KUBERNETES)
            .withValuesFile(Files.writeString(folder.resolve("values.yaml"), OPEN))
            .clientOnly()
            .dryRun()
            .call()
            .getOutput();
    assertThat(notes)
        .contains("BlobEndpoint=https://lazuli.apps:10000/NAME")
        .contains("exec statefulset/lazuli -- lazuli health")
        .contains("get secret lazuli-accounts");
  }

  @Test
  void theVersionIsThatOfTheProject() throws Exception {
    Map<String, Object> about = yaml(Chart.SOURCE.resolve("Chart.yaml"));
    assertThat(about).containsEntry("version", Dist.VERSION);
    assertThat(about).containsEntry("appVersion", Dist.VERSION);
    assertThat(Chart.render(Chart.MINIMAL, folder).container())
        .containsEntry("image", "lazuli:" + Dist.VERSION);
    assertThat(Files.readString(Chart.SOURCE.resolve("README.md"))).contains(Dist.CHART);
  }

  @Test
  void thePackageMakesTheSameObjects() throws Exception {
    Path values = Files.writeString(folder.resolve("values.yaml"), Chart.MINIMAL);
    assertThat(Chart.render(Dist.FOLDER.resolve(Dist.CHART), values))
        .isEqualTo(Chart.render(Chart.SOURCE, values));
  }

  private static Map<Object, Object> ports(Object list, String number) {
    return ((List<?>) list)
        .stream().collect(Collectors.toMap(port -> at(port, "name"), port -> at(port, number)));
  }

  private static Map<String, Object> yaml(Path file) throws Exception {
    return Image.map(new Yaml().load(Files.readString(file)));
  }

  /** Puts values over others as Helm does. */
  private static void merge(Map<String, Object> values, Map<String, Object> more) {
    more.forEach(
        (name, value) -> {
          if (value instanceof Map && values.get(name) instanceof Map) {
            merge(Image.map(values.get(name)), Image.map(value));
          } else {
            values.put(name, value);
          }
        });
  }
}

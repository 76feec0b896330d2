package io.lazuli.dist;

import static io.lazuli.dist.Chart.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.dist.Container.Launch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pod that the chart describes, in the root of the image: its command, variables, user, volumes
 * and probes, as a kubelet would use them.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HelmRunIT {
  private static final Map<String, String> TOOLS = Map.of("PATH", "/usr/bin:/bin");
  private static final String KEY =
      Base64.getEncoder().encodeToString("a key for tests only".getBytes(StandardCharsets.UTF_8));

  @TempDir private Path folder;

  private Image image;
  private Path data;

  /**
   * As kubelets prepare volumes for {@code fsGroup}: for the group, which their content inherits.
   */
  @BeforeEach
  void prepare() throws Exception {
    image = Image.made("THE PODS OF THE CHART");
    data = Files.createDirectory(folder.resolve("data"));
    Dist.run(TOOLS, "chown", "0:1000", data.toString());
    Dist.run(TOOLS, "chmod", "2775", data.toString());
  }

  @Test
  void thePodServesAndKeepsItsData() throws Exception {
    Chart chart = Chart.render(Chart.MINIMAL, folder);
    try (Container container = start(chart, "first")) {
      container.await("ready; data in /data/lazuli-data");
      for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
        assertThat(container.exec(command(chart, probe))).as(probe).isZero();
      }
      container.roundTrip(connectionString("http"), "blob", "queue", "table");
      assertThat(container.user()).isEqualTo(1000);
      assertThat(container.run("lazuli", "health")).contains("\"ok\"");
      assertThat(container.run("lazuli", "account", "add", "fabrikam")).contains("fabrikam");
      assertThat(container.exec("sh", "-c", "echo >/file")).isNotZero();
      assertThat(container.exec(command(chart, "lifecycle", "preStop"))).isZero();
      container.terminate();
      container.end(143);
    }
    try (Container container = start(chart, "second")) {
      container.await("ready; data in /data/lazuli-data");
      assertThat(container.run("lazuli", "account", "list")).contains("fabrikam");
      container.read(connectionString("http"), "blob", "queue", "table");
    }
  }

  @Test
  void theProbesFailWhereNothingListens() throws Exception {
    Chart chart = Chart.render(Chart.MINIMAL, folder);
    Launch sleeping = Launch.running("sh", "-c", "echo up; exec sleep 600").as("1000:1000");
    try (Container container = Container.start(image, folder, data, sleeping.inConfinement())) {
      container.await("up");
      for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
        assertThat(container.exec(command(chart, probe))).as(probe).isNotZero();
      }
    }
  }

  /** The files of Secrets belong to root and can be read by the group. */
  @Test
  void thePodServesHttpsAndAnOpenAdminPort() throws Exception {
    Path made = folder.resolve("made");
    Dist.run(TOOLS, image.root() + "/opt/lazuli/lazuli", "dev-cert", "--folder", made.toString());
    String user =
        Dist.run(
            TOOLS,
            "sh",
            "-c",
            "echo a-long-password | %s/opt/lazuli/lazuli console --user ann --role admin"
                .formatted(image.root()));
    Chart chart =
        Chart.render(
            Chart.MINIMAL
                + "tls: {existingSecret: lazuli-tls}\n"
                + "admin: {open: true, usersSecret: lazuli-users}\n",
            folder);
    secret("/etc/lazuli/tls/tls.crt", Files.readString(made.resolve("localhost.pem")));
    secret("/etc/lazuli/tls/tls.key", Files.readString(made.resolve("localhost-key.pem")));
    secret("/etc/lazuli/users/users", user);
    assertThat(at(chart.container(), "volumeMounts").toString())
        .contains("mountPath=/etc/lazuli/tls", "mountPath=/etc/lazuli/users");
    try (Container container = start(chart, "tls")) {
      container.await("admin  https://127.0.0.1:10010");
      container.await("ready; data in /data/lazuli-data");
      container.roundTrip(
          connectionString("https"), "trust=" + made.resolve("ca.pem"), "blob", "queue", "table");
      assertThat(container.run("lazuli", "health")).contains("\"ok\"");
    }
  }

  private Container start(Chart chart, String name) throws Exception {
    Map<String, Object> described = chart.container();
    List<String> variables = new ArrayList<>();
    for (Object variable : (List<?>) described.get("env")) {
      Object secret = at(variable, "valueFrom", "secretKeyRef");
      if (secret != null) {
        assertThat(secret).isEqualTo(Map.of("name", "lazuli-accounts", "key", "account-keys"));
      }
      variables.add(
          at(variable, "name") + "=" + (secret == null ? at(variable, "value") : "contoso:" + KEY));
    }
    Object user = at(chart.pod(), "securityContext", "runAsUser");
    Launch launch =
        Launch.running(words(described.get("args")))
            .with(variables.toArray(String[]::new))
            .as(user + ":" + at(chart.pod(), "securityContext", "runAsGroup"))
            .inConfinement();
    return Container.start(image, Files.createDirectories(folder.resolve(name)), data, launch);
  }

  private void secret(String path, String content) throws Exception {
    Path file = folder.resolve("tls/changes" + path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    Dist.run(TOOLS, "chown", "0:1000", file.toString());
    Dist.run(TOOLS, "chmod", "0440", file.toString());
  }

  private static String[] command(Chart chart, Object... path) {
    return words(at(at(chart.container(), path), "exec", "command"));
  }

  private static String[] words(Object list) {
    return ((List<?>) list).stream().map(Object::toString).toArray(String[]::new);
  }

  private static String connectionString(String scheme) {
    return Dist.connectionString(scheme, "contoso", KEY);
  }
}

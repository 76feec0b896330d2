package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The container image that {@code deploy/build-image} makes, unpacked into a folder that nothing
 * changes.
 *
 * @param root the files of all layers
 * @param config what the image says about its containers
 */
record Image(Path archive, Path root, Map<String, Object> config) {
  private static final Map<String, String> TOOLS =
      Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "HOME", "/");

  /** Made once for all classes of tests, because it takes half a minute. */
  private static final class Made {
    static final Image IMAGE = make();

    private static Image make() {
      try {
        // Not a temporary folder, because its cleanup warns about every link of the image.
        Path shared = Path.of("target", "image").toAbsolutePath();
        Dist.run(TOOLS, "rm", "-rf", shared.toString());
        Files.createDirectories(shared);
        return unpack(build(shared.resolve("image.tar.gz")), shared);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Returns the image. Skips the calling test, and says so, if none can be made or run here. */
  static Image made(String what) throws Exception {
    String obstacle = Container.obstacle("buildah", "mmdebstrap");
    if (!obstacle.isEmpty()) {
      System.err.println(what + " DID NOT RUN: " + obstacle);
    }
    assumeTrue(obstacle.isEmpty(), obstacle);
    return Made.IMAGE;
  }

  /** Makes the image from the archive with a Java. */
  static Path build(Path archive) throws Exception {
    Process process =
        Dist.process(
                TOOLS,
                Dist.SOURCE.resolve("deploy/build-image").toString(),
                Dist.archive(Dist.WITH_JAVA).toString(),
                archive.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return archive;
  }

  private static Image unpack(Path archive, Path parent) throws Exception {
    Path parts = Files.createDirectories(parent.resolve("image"));
    Path root = Files.createDirectories(parent.resolve("root"));
    Dist.run(TOOLS, "tar", "xzf", archive.toString(), "-C", parts.toString());
    Map<?, ?> manifest =
        (Map<?, ?>)
            ((List<?>)
                    json("{\"list\":" + Files.readString(parts.resolve("manifest.json")) + "}")
                        .get("list"))
                .get(0);
    for (Object layer : (List<?>) manifest.get("Layers")) {
      Dist.run(
          TOOLS, "tar", "xf", parts.resolve(layer.toString()).toString(), "-C", root.toString());
    }
    String config = Files.readString(parts.resolve(manifest.get("Config").toString()));
    return new Image(archive, root, map(json(config).get("config")));
  }

  private static Map<String, Object> json(String text) throws IOException {
    try (JsonReader reader = JsonProviders.createReader(text)) {
      return reader.readMap(JsonReader::readUntyped);
    }
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  /** Returns the strings of a list of the configuration; empty if there is none. */
  List<String> list(String name) {
    Object value = config.get(name);
    List<String> strings = new ArrayList<>();
    if (value != null) {
      ((List<?>) value).forEach(one -> strings.add(one.toString()));
    }
    return strings;
  }

  String workingFolder() {
    return config.get("WorkingDir").toString();
  }
}

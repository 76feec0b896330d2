package io.lazuli.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.storage.StorageEngine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests engines in a folder of jars, with one that the test compiles and packs. */
final class EnginesTest {
  private static final String PROVIDER =
      """
      package io.lazuli.storage.far;

      import io.lazuli.storage.EngineConfig;
      import io.lazuli.storage.EngineOpenException;
      import io.lazuli.storage.StorageEngine;
      import io.lazuli.storage.StorageEngineProvider;
      import io.lazuli.storage.memory.InMemoryEngine;

      public final class FarProvider implements StorageEngineProvider {
        public String name() {
          return "far";
        }

        private static int opened;

        public StorageEngine open(EngineConfig config) {
          opened++;
          if (String.valueOf(config.engineConfig()).endsWith("count.xml")) {
            throw new EngineOpenException("opened " + opened + " times", null);
          }
          if (config.engineConfig() == null) {
            throw new EngineOpenException(seen("io.vertx.core.Vertx"), null);
          }
          return new InMemoryEngine(config.withEngineConfig(null));
        }

        private static String seen(String name) {
          try {
            Class.forName("org.slf4j.Logger");
            Class.forName(name);
            return name + " is seen";
          } catch (ClassNotFoundException e) {
            return e.getMessage() + " is hidden";
          }
        }
      }
      """;

  @TempDir Path root;
  private Path jars;

  @BeforeEach
  void packEngine() throws IOException {
    jars = Files.createDirectory(root.resolve("far"));
    pack(compile());
  }

  @Test
  void anEngineIsOpenedFromItsFolderWithItsSettings() throws IOException {
    Path settings = Files.writeString(root.resolve("settings.xml"), "<x/>");
    try (StorageEngine engine =
        Engines.open(config("far").engineConfig(settings).build().store())) {
      assertThat(engine.state().writable()).isTrue();
    }
  }

  @Test
  void anEngineIsLoadedOnceHoweverOftenItIsOpened() throws IOException {
    Path settings = Files.writeString(root.resolve("count.xml"), "<x/>");
    ServerConfig config = config("far").engineConfig(settings).build();
    assertThatThrownBy(() -> Engines.open(config.store())).hasMessage("opened 1 times");
    assertThatThrownBy(() -> Engines.open(config.store())).hasMessage("opened 2 times");
  }

  @Test
  void theEngineSeesTheInterfacesOfTheServerAndNothingElse() {
    assertThatThrownBy(() -> Engines.open(config("far").build().store()))
        .hasMessage("io.vertx.core.Vertx is hidden");
  }

  @Test
  void unreadableSettingsAreReported() {
    Path missing = root.resolve("missing.xml");
    assertThatThrownBy(() -> Engines.open(config("far").engineConfig(missing).build().store()))
        .isInstanceOf(ServerStartException.class)
        .hasMessage("cannot read the engine's settings " + missing);
    assertThatThrownBy(() -> Engines.open(config("far").engineConfig(root).build().store()))
        .isInstanceOf(ServerStartException.class);
  }

  @Test
  void aFolderWithAnotherEngineIsReported() {
    assertThatThrownBy(() -> Engines.open(config("near").build().store()))
        .isInstanceOf(ServerStartException.class)
        .hasMessage("the jars in " + jars + " contain no engine named near");
  }

  @Test
  void aMissingOrEmptyFolderIsReported() throws IOException {
    Path empty = Files.createDirectory(root.resolve("empty"));
    for (Path folder : List.of(empty, root.resolve("missing"))) {
      assertThatThrownBy(() -> Engines.open(config("far").engineFolder(folder).build().store()))
          .isInstanceOf(ServerStartException.class)
          .hasMessageStartingWith("there is no storage engine named far: this server contains ")
          .hasMessageEndingWith("and no jars of another engine are in " + folder);
    }
  }

  @Test
  void aNameThatWouldBeAPathIsRefused() {
    assertThatThrownBy(
            () -> Engines.open(ServerConfig.builder().engine("../far").freePorts().build().store()))
        .isInstanceOf(ServerStartException.class)
        .hasMessage("there is no storage engine named ../far");
  }

  private ServerConfig.Builder config(String engine) {
    return ServerConfig.builder().engine(engine).engineFolder(jars).dataFolder(root).freePorts();
  }

  private Path compile() throws IOException {
    Path source = Files.writeString(root.resolve("FarProvider.java"), PROVIDER);
    Path classes = Files.createDirectory(root.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String classPath = System.getProperty("java.class.path");
    int result =
        compiler.run(
            null,
            OutputStream.nullOutputStream(),
            null,
            "-proc:none",
            "-cp",
            classPath,
            "-d",
            classes.toString(),
            source.toString());
    assertThat(result).isZero();
    return classes;
  }

  private void pack(Path classes) throws IOException {
    try (JarOutputStream jar =
            new JarOutputStream(Files.newOutputStream(jars.resolve("far-engine.jar")));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        jar.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, jar);
      }
      jar.putNextEntry(new JarEntry("META-INF/services/io.lazuli.storage.StorageEngineProvider"));
      jar.write("io.lazuli.storage.far.FarProvider\n".getBytes(StandardCharsets.UTF_8));
    }
  }
}

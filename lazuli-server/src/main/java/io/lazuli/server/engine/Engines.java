package io.lazuli.server.engine;

import io.lazuli.server.config.Limits;
import io.lazuli.server.config.MemoryPlan;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Replay;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.StoreReport;
import io.lazuli.storage.StoreRestore;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the configured storage engine: among the engines that the server contains, or in a folder
 * of jars that only this engine sees, so that its libraries cannot conflict with the server's.
 */
public final class Engines {
  private static final String ROCKSDB = "rocksdb";

  /** Only the packed server contains RocksDB for certain. */
  private static final String NO_ROCKSDB =
      "the storage engine rocksdb is not on the class path: add the dependency"
          + " io.lazuli:lazuli-storage-rocksdb, or keep the data in memory (engine memory, in tests"
          + " LazuliExtension.inMemory())";

  private record Place(String name, Path folder) {}

  /**
   * The class loaders of engines, by name and folder. Each engine is loaded only once, because its
   * threads stay until the end of the process.
   */
  private static final Map<Place, ClassLoader> LOADERS = new ConcurrentHashMap<>();

  private Engines() {}

  /**
   * Opens the configured engine.
   *
   * @throws ServerStartException if there is no such engine, or its settings cannot be read
   * @throws io.lazuli.storage.EngineOpenException if it cannot be opened
   */
  public static StorageEngine open(StoreConfig config) {
    EngineConfig engine = engineConfig(config);
    return find(config).open(engine);
  }

  /**
   * Opens the configured engine for a check, which changes nothing.
   *
   * @throws ServerStartException if there is no such engine, or its settings cannot be read
   * @throws io.lazuli.storage.EngineOpenException if it cannot be opened
   */
  public static StorageEngine openToRead(StoreConfig config) {
    return find(config).openToRead(engineConfig(config));
  }

  /**
   * Begins to restore the store of the configured engine.
   *
   * @return null if the engine opens a folder that has the files of a backup
   * @throws ServerStartException if there is no such engine, or its settings cannot be read
   * @throws io.lazuli.storage.EngineOpenException if the place of the store is not empty
   */
  public static @Nullable StoreRestore restore(StoreConfig config) {
    return find(config).restore(engineConfig(config));
  }

  /**
   * Checks the files of the configured engine that it reads before it opens.
   *
   * @throws ServerStartException if there is no such engine, or its settings cannot be read
   * @throws io.lazuli.storage.EngineOpenException if it cannot be checked
   */
  public static StoreReport verify(StoreConfig config) {
    return find(config).verify(engineConfig(config));
  }

  /**
   * Repairs the files of the configured engine, which no server uses.
   *
   * @param salvage true to give up what is damaged
   * @throws ServerStartException if there is no such engine, or its settings cannot be read
   * @throws io.lazuli.storage.EngineOpenException if it cannot be repaired
   */
  public static StoreReport repair(StoreConfig config, boolean salvage) {
    return find(config).repair(engineConfig(config), salvage);
  }

  /**
   * Opens the files of a backup, whose restore has not finished, to apply the changes of an
   * archive.
   *
   * @throws ServerStartException if there is no such engine, or its settings cannot be read
   * @throws io.lazuli.storage.EngineOpenException if the engine cannot do that, or cannot be opened
   */
  public static Replay openToReplay(StoreConfig config) {
    return find(config).openToReplay(engineConfig(config));
  }

  private static EngineConfig engineConfig(StoreConfig config) {
    Path settings = config.engineConfig();
    if (settings != null && !(Files.isRegularFile(settings) && Files.isReadable(settings))) {
      throw new ServerStartException("cannot read the engine's settings " + settings);
    }
    EngineConfig standard = EngineConfig.of(config.folder());
    return standard
        .withQueueBounds(
            standard.queuedOperationsMax(), MemoryPlan.ofThisProcess().queuedBytesMax())
        .withDurability(config.durability())
        .withMemoryBytes(config.memoryBytes())
        .withCallers(Math.min(Limits.WORKER_THREADS, Limits.SCAN_THREADS))
        .withEngineConfig(settings)
        .withKeptLogBytesMax(config.keptLogBytesMax());
  }

  private static StorageEngineProvider find(StoreConfig config) {
    // The context class loader of the thread is not used: in an embedding application it may be any
    // loader.
    ClassLoader own = Engines.class.getClassLoader();
    StorageEngineProvider contained = named(config.engine(), own);
    return contained == null ? load(config, own) : contained;
  }

  private static @Nullable StorageEngineProvider named(String name, ClassLoader loader) {
    for (StorageEngineProvider provider : ServiceLoader.load(StorageEngineProvider.class, loader)) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    return null;
  }

  private static StorageEngineProvider load(StoreConfig config, ClassLoader own) {
    String name = config.engine();
    if (!name.matches("[a-z][a-z0-9-]*")) {
      throw new ServerStartException("there is no storage engine named " + name);
    }
    Path folder = config.engineFolder() == null ? folderOf(name) : config.engineFolder();
    List<URL> jars = jars(folder);
    if (jars.isEmpty() && name.equals(ROCKSDB)) {
      throw new ServerStartException(NO_ROCKSDB);
    }
    if (jars.isEmpty()) {
      throw new ServerStartException(
          "there is no storage engine named "
              + name
              + ": this server contains "
              + String.join(", ", contained(own))
              + ", and no jars of another engine are in "
              + folder);
    }
    // Never closed: threads of an engine load classes until the end of the process.
    ClassLoader loader =
        LOADERS.computeIfAbsent(
            new Place(name, folder.toAbsolutePath().normalize()),
            place ->
                new URLClassLoader(
                    "engine-" + name, jars.toArray(new URL[0]), new EngineParentLoader(name, own)));
    StorageEngineProvider provider = named(name, loader);
    if (provider == null) {
      throw new ServerStartException("the jars in " + folder + " contain no engine named " + name);
    }
    return provider;
  }

  /** Returns {@code engines/NAME} next to the server's jar. */
  private static Path folderOf(String name) {
    try {
      URL place = Engines.class.getProtectionDomain().getCodeSource().getLocation();
      return Path.of(place.toURI()).resolveSibling("engines").resolve(name);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<URL> jars(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".jar")).sorted().toList()) {
        jars.add(file.toUri().toURL());
      }
      return jars;
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new ServerStartException("cannot read the folder " + folder);
    }
  }

  private static Set<String> contained(ClassLoader own) {
    Set<String> names = new TreeSet<>();
    ServiceLoader.load(StorageEngineProvider.class, own)
        .forEach(provider -> names.add(provider.name()));
    return names;
  }
}

package io.lazuli.server.engine;

/**
 * The classes that an engine in a folder of jars shares with the server: the JDK, the storage
 * interface, and the logging interface, so that the engine logs to the server's log. All other
 * classes of the server are hidden from the engine. Resources are hidden too, because they name the
 * server's own providers.
 */
final class EngineParentLoader extends ClassLoader {
  private static final String STORAGE = "io.lazuli.storage.";
  private static final String LOGGING = "org.slf4j.";

  private final String ownPackage;
  private final ClassLoader server;

  EngineParentLoader(String engine, ClassLoader server) {
    super(ClassLoader.getPlatformClassLoader());
    this.ownPackage = STORAGE + engine + ".";
    this.server = server;
  }

  /** Finds a class that the JDK does not have. */
  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    boolean shared = name.startsWith(STORAGE) || name.startsWith(LOGGING);
    if (shared && !name.startsWith(ownPackage)) {
      return server.loadClass(name);
    }
    throw new ClassNotFoundException(name);
  }
}

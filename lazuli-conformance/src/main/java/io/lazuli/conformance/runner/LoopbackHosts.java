package io.lazuli.conformance.runner;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;

/**
 * Makes this JVM resolve the hosts of the development account below {@code localhost}. Many systems
 * do not resolve names below {@code localhost}.
 */
final class LoopbackHosts {

  private LoopbackHosts() {}

  /** Must be called before the JVM looks up its first name; it then knows only these names. */
  static void resolve() throws IOException {
    StringJoiner names = new StringJoiner(" ", "127.0.0.1 localhost ", "\n");
    for (StorageService service : StorageService.values()) {
      for (String suffix : new String[] {"", "-secondary"}) {
        names.add(Account.DEVELOPMENT_NAME + suffix + "." + service.word() + ".localhost");
      }
    }
    Path file = Files.createTempFile("lazuli-hosts", "");
    file.toFile().deleteOnExit();
    Files.writeString(file, names.toString());
    System.setProperty("jdk.net.hosts.file", file.toString());
  }
}

package io.lazuli.conformance;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the cases run against: an account that was chosen, the one named by the system
 * properties {@code conformance.endpoint}, {@code conformance.account} and {@code conformance.key},
 * or else a packed server that is started once, as a child process with an empty folder, and dies
 * with this JVM.
 */
public final class AccountUnderTest {

  private static @Nullable Account account;
  private static boolean chosen;

  private AccountUnderTest() {}

  public static synchronized Account get() {
    Account known = account;
    if (known == null) {
      known = isElsewhere() ? elsewhere() : startServer();
      account = known;
    }
    return known;
  }

  /** To be called before the first case. */
  public static synchronized void choose(Account elsewhere) {
    account = elsewhere;
    chosen = true;
  }

  /** True if the endpoint was given, so that the server is not ours to stop and to kill. */
  public static synchronized boolean isElsewhere() {
    return chosen || System.getProperty("conformance.endpoint") != null;
  }

  /** Where the packed server should be; whether it is there is found out when it is started. */
  public static Path serverJar() {
    String named = System.getProperty("conformance.jar");
    return named == null ? besideThisModule() : Path.of(named);
  }

  /** From {@code lazuli-conformance/target/…}, wherever the checkout is. */
  private static Path besideThisModule() {
    try {
      URI here = AccountUnderTest.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(here).resolve("../../../lazuli-server/target/lazuli.jar").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Account elsewhere() {
    return new Account(
        System.getProperty("conformance.account", Account.DEVELOPMENT_NAME),
        System.getProperty("conformance.key", Account.DEVELOPMENT_KEY),
        URI.create(System.getProperty("conformance.endpoint")));
  }

  private static Account startServer() {
    return Account.development(ServerProcess.startEmpty(serverJar()).endpoint());
  }
}

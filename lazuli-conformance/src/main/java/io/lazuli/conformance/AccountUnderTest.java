package io.lazuli.conformance;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which account the cases run against. It is the account that was chosen with {@link
 * #choose}, or the account that the system properties {@code conformance.endpoint} (its table
 * endpoint), {@code conformance.queue.endpoint}, {@code conformance.blob.endpoint}, {@code
 * conformance.account} and {@code conformance.key} name. If neither is given, the packed server is
 * started once, as a child process with an empty folder, and ends with this JVM. After {@link
 * #chooseOnePort}, it serves all services on one port, at hosts that name the account.
 */
public final class AccountUnderTest {

  private static final String ENDPOINT = "conformance.endpoint";

  private static final Map<StorageService, Account> ACCOUNTS = new EnumMap<>(StorageService.class);
  private static boolean chosen;
  private static boolean onePort;

  private AccountUnderTest() {}

  public static synchronized Account get(StorageService service) {
    if (ACCOUNTS.isEmpty()) {
      if (isElsewhere()) {
        findElsewhere();
      } else {
        startServer();
      }
    }
    Account account = ACCOUNTS.get(service);
    if (account == null) {
      throw new IllegalStateException("no " + service.word() + " endpoint to test");
    }
    return account;
  }

  /** Chooses the account to test. Must be called before the first case. */
  public static synchronized void choose(Account elsewhere) {
    ACCOUNTS.clear();
    ACCOUNTS.put(elsewhere.service(), elsewhere);
    chosen = true;
  }

  /** Starts the packed server with one port. Must be called before the first case. */
  public static synchronized void chooseOnePort() {
    onePort = true;
  }

  /** Returns true if the endpoint was given. The cases must then not stop or kill the server. */
  public static synchronized boolean isElsewhere() {
    return chosen || System.getProperty(ENDPOINT) != null;
  }

  /**
   * Returns true if changes take effect immediately, as they do in the packed server and in an
   * emulator. An emulator is recognised by its URLs, which contain the account in the path.
   */
  public static synchronized boolean isEmulator() {
    return !isElsewhere() || ACCOUNTS.values().stream().allMatch(Account::isPathStyle);
  }

  /**
   * Returns the expected path of the packed server. Whether the file exists is checked when the
   * server starts.
   */
  public static Path serverJar() {
    String named = System.getProperty("conformance.jar");
    return named == null ? besideThisModule() : Path.of(named);
  }

  /**
   * Finds the server relative to {@code lazuli-conformance/target/…}, so that the checkout may be
   * anywhere.
   */
  private static Path besideThisModule() {
    try {
      URI here = AccountUnderTest.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(here).resolve("../../../lazuli-server/target/lazuli.jar").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void findElsewhere() {
    addElsewhere(StorageService.TABLE, System.getProperty(ENDPOINT));
    addElsewhere(StorageService.QUEUE, System.getProperty("conformance.queue.endpoint"));
    addElsewhere(StorageService.BLOB, System.getProperty("conformance.blob.endpoint"));
  }

  private static void addElsewhere(StorageService service, @Nullable String endpoint) {
    if (endpoint != null) {
      String name = System.getProperty("conformance.account", Account.DEVELOPMENT_NAME);
      String key = System.getProperty("conformance.key", Account.DEVELOPMENT_KEY);
      ACCOUNTS.put(service, new Account(name, key, service, URI.create(endpoint)));
    }
  }

  private static void startServer() {
    List<String> options = onePort ? List.of("--one-port", "0") : List.of();
    ServerProcess server =
        ServerProcess.start(serverJar(), ServerProcess.temporaryFolder(), List.of(), options);
    server.services().forEach(service -> ACCOUNTS.put(service, server.account(service)));
  }
}

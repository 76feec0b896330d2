package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.AccountKind;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A command line of Azurite starts the packed server through a link named azurite, and the official
 * clients work with it as with Azurite. Only the ports are changed, to free ones.
 */
class AzuriteDropInIT {
  private static final String LINE =
      "azurite --silent --location DIR --blobHost 0.0.0.0 --queueHost 0.0.0.0 --tableHost 0.0.0.0"
          + " --skipApiVersionCheck --disableTelemetry -d DIR/debug.log"
          + " --blobPort 0 --queuePort 0 --tablePort 0";
  private static final Pattern LISTENING =
      Pattern.compile(
          "Azurite (Blob|Queue|Table) service .*success.* (?:(https?)://)?0\\.0\\.0\\.0:(\\d+)");

  @TempDir private Path folder;

  @Test
  void aStartLineOfAzuriteServesItsClientsOverHttpAndHttpsAndKeepsTheirData() throws IOException {
    DevCert certificate = DevCert.make(folder);
    try (Emulator first = new Emulator(folder, LINE, HttpClient.createDefault())) {
      write(first);
      assertStorageExplorerFindsIt(first);
      assertThat(first.stop())
          .containsExactly(
              "Azurite Blob service is closing...",
              "Azurite Queue service is closing...",
              "Azurite Table service is closing...",
              "Azurite Blob service successfully closed",
              "Azurite Queue service successfully closed",
              "Azurite Table service successfully closed");
    }
    String secured = LINE + " --cert " + certificate.certificate() + " --key " + certificate.key();
    try (Emulator second = new Emulator(folder, secured, certificate.trusting())) {
      assertThere(second);
      assertThat(second.account(StorageService.TABLE).base()).startsWith("https:");
      assertThat(Files.readString(folder.resolve("debug.log")))
          .contains("account=devstoreaccount1");
    }
  }

  /**
   * Storage Explorer uses the blob port to find out whether an emulator runs (Azure/Azurite#2347).
   */
  @Test
  void aServerOfTablesAloneIsFoundAtTheBlobPort() throws IOException {
    int port = freePort();
    String line =
        "azurite-table --silent --inMemoryPersistence --tableHost 0.0.0.0 --tablePort 0 --blobPort ";
    try (Emulator tables = new Emulator(folder, line + port, HttpClient.createDefault())) {
      URI endpoint = URI.create("http://127.0.0.1:" + port + "/devstoreaccount1");
      BlobServiceClient blobs =
          new BlobServiceClientBuilder()
              .connectionString(
                  Account.development(StorageService.BLOB, endpoint).connectionString())
              .buildClient();
      assertThat(blobs.getAccountInfo().getAccountKind()).isEqualTo(AccountKind.STORAGE_V2);
      assertThat(blobs.getProperties()).isNotNull();
      assertThat(blobs.listBlobContainers()).isEmpty();
      assertThatThrownBy(() -> blobs.createBlobContainer("things"))
          .isInstanceOfSatisfying(
              BlobStorageException.class, e -> assertThat(e.getStatusCode()).isEqualTo(501));
      table(tables).createEntity(new TableEntity("p", "r"));
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static void write(Emulator emulator) {
    TableClient table = table(emulator);
    table.createEntity(new TableEntity("p", "r").addProperty("Name", "value"));
    queue(emulator).sendMessage("message");
    container(emulator).getBlobClient("blob").upload(BinaryData.fromString("content"));
  }

  private static void assertThere(Emulator emulator) {
    assertThat(table(emulator).getEntity("p", "r").getProperty("Name")).isEqualTo("value");
    assertThat(queue(emulator).receiveMessage().getBody().toString()).isEqualTo("message");
    assertThat(container(emulator).getBlobClient("blob").downloadContent().toString())
        .isEqualTo("content");
  }

  /**
   * Sends the requests of Storage Explorer's node for emulators, as far as they are known. If only
   * tables run, it reports that no emulator runs (Azure/Azurite#2347), so it must use another port.
   * It sends this request in both forms to the blob port (microsoft/AzureStorageExplorer#4391 and
   * #3558). Then it lists the contents of its nodes.
   */
  private static void assertStorageExplorerFindsIt(Emulator emulator) {
    WireClient blobs = new WireClient(emulator.account(StorageService.BLOB));
    for (String target :
        List.of(
            "/devstoreaccount1?include=metadata&comp=list",
            "/devstoreaccount1/?include=metadata&comp=list")) {
      WireAnswer answer = blobs.requestTarget("GET", target).send();
      assertThat(answer.status()).as(target).isEqualTo(200);
      assertThat(answer.text()).contains("<Name>things</Name>");
    }
    WireClient queues = new WireClient(emulator.account(StorageService.QUEUE));
    assertThat(queues.get("?comp=list&include=metadata").send().text()).contains("things");
    WireClient tables = new WireClient(emulator.account(StorageService.TABLE));
    assertThat(tables.get("/Tables").send().text()).contains("Things");
  }

  private static TableClient table(Emulator emulator) {
    var service =
        new TableServiceClientBuilder()
            .connectionString(emulator.connectionString())
            .httpClient(emulator.http)
            .buildClient();
    service.createTableIfNotExists("Things");
    return service.getTableClient("Things");
  }

  private static QueueClient queue(Emulator emulator) {
    QueueClient queue =
        new QueueServiceClientBuilder()
            .connectionString(emulator.connectionString())
            .httpClient(emulator.http)
            .buildClient()
            .getQueueClient("things");
    queue.createIfNotExists();
    return queue;
  }

  private static BlobContainerClient container(Emulator emulator) {
    return new BlobServiceClientBuilder()
        .connectionString(emulator.connectionString())
        .httpClient(emulator.http)
        .buildClient()
        .createBlobContainerIfNotExists("things");
  }

  /** The process that the command line starts. */
  private static final class Emulator implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;
    private final HttpClient http;
    private String scheme = "";
    private final Map<StorageService, Integer> ports = new EnumMap<>(StorageService.class);

    Emulator(Path folder, String line, HttpClient http) throws IOException {
      this.http = http;
      List<String> command =
          new ArrayList<>(List.of(line.replace("DIR", folder.toString()).split(" ", -1)));
      command.addAll(0, starter(folder, command.remove(0)));
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().put("LAZULI_JAVA_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1");
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      process = builder.redirectError(folder.resolve("err").toFile()).start();
      lines = process.inputReader(StandardCharsets.UTF_8);
      List<String> seen = new ArrayList<>();
      String told = "";
      while (!told.startsWith("Lazuli ")) {
        readPort(told);
        told = String.valueOf(lines.readLine());
        seen.add(told);
        assertThat(told).as("%s", seen).isNotEqualTo("null");
      }
    }

    /**
     * Returns the command for the delivered start script, called through a link in another folder.
     * Without a shell, it is the command for the jar.
     */
    private static List<String> starter(Path folder, String name) throws IOException {
      Path jar = AccountUnderTest.serverJar().toAbsolutePath().normalize();
      if (!Files.isExecutable(Path.of("/bin/sh"))) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return List.of(java.toString(), "-jar", jar.toString(), name);
      }
      Path home = folder.resolve("home");
      Path link = folder.resolve(name);
      if (!Files.exists(home)) {
        Path target = Files.createDirectories(home.resolve("lazuli-server").resolve("target"));
        Files.createSymbolicLink(target.resolve("lazuli.jar"), jar);
        Files.copy(Path.of("..", "lazuli"), home.resolve("lazuli"));
        Files.createSymbolicLink(home.resolve(name), Path.of("lazuli"));
        Files.createSymbolicLink(link, Path.of("home", name));
      }
      return List.of("/bin/sh", link.toString());
    }

    private void readPort(String line) {
      Matcher matcher = LISTENING.matcher(line);
      if (matcher.matches()) {
        for (StorageService service : StorageService.values()) {
          if (service.title().equals(matcher.group(1))) {
            scheme = matcher.group(2) == null ? "http" : matcher.group(2);
            ports.put(service, Integer.parseInt(matcher.group(3)));
          }
        }
      }
    }

    Account account(StorageService service) {
      return Account.development(
          service, URI.create(scheme + "://127.0.0.1:" + ports.get(service) + "/devstoreaccount1"));
    }

    /**
     * Returns the connection string that UseDevelopmentStorage=true stands for, with the ports of
     * this process.
     */
    String connectionString() {
      return "DefaultEndpointsProtocol="
          + scheme
          + ";AccountName=devstoreaccount1;AccountKey="
          + Account.DEVELOPMENT_KEY
          + ports.keySet().stream()
              .map(service -> ";" + service.title() + "Endpoint=" + account(service).base())
              .collect(Collectors.joining());
    }

    /** Stops the process with SIGTERM, as Docker Compose does, and returns its last lines. */
    List<String> stop() throws IOException {
      process.toHandle().destroy();
      List<String> last = lines.lines().toList();
      assertThat(process.onExit().join().exitValue()).isZero();
      return last;
    }

    @Override
    public void close() {
      process.destroyForcibly();
      try {
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        lines.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

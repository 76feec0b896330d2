package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;
import io.lazuli.dist.Container.Launch;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures how long the image takes to answer its first request, and how long Azurite takes in the
 * same minutes. It prints the figures of docs/installing.md and asserts nothing about them.
 */
@Tag("long")
class StartTimeIT {
  private static final String AZURITE = "3.37.0";
  private static final int ROUNDS = 15;
  private static final Map<String, String> TOOLS = Map.of("PATH", System.getenv("PATH"));
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path folder;

  @Test
  void theImageAndAzuriteStart() throws Exception {
    Image made = Image.made("START TIMES");
    Path azurite = azurite();
    List<Double> ours = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    // The first round reads the programs from the disk and is not counted.
    for (int round = 0; round <= ROUNDS; round++) {
      Path own = Files.createDirectories(folder.resolve("image-" + round));
      double image = startOfImage(made, own);
      double other =
          azurite == null
              ? 0
              : startOfAzurite(azurite, Files.createDirectory(own.resolve("azurite")));
      if (round > 0) {
        ours.add(image);
        theirs.add(other);
      }
    }
    System.err.println("START TIMES: image " + summary(ours));
    if (azurite != null) {
      System.err.println("START TIMES: Azurite " + AZURITE + " " + summary(theirs));
      System.err.printf(
          Locale.ROOT, "START TIMES: image / Azurite %.2f%n", median(ours) / median(theirs));
    }
  }

  private static double startOfImage(Image image, Path folder) throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    int port = freePort();
    URI list = list(port);
    Launch launch =
        Launch.running(words("/data", port, "azurite")).with("LAZULI_ADMIN_PORT=0").onThisNetwork();
    long start = System.nanoTime();
    Container container = Container.start(image, folder, data, launch);
    try {
      return answered(list, start);
    } finally {
      container.close();
    }
  }

  private static double startOfAzurite(Path script, Path data) throws Exception {
    int port = freePort();
    URI list = list(port);
    ProcessBuilder builder =
        Dist.process(TOOLS, words(data.toString(), port, "node", script.toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    long start = System.nanoTime();
    Process process = builder.start();
    try {
      return answered(list, start);
    } finally {
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  private static String[] words(String location, int port, String... program) {
    return Stream.concat(
            Stream.of(program),
            Stream.of(
                "--location",
                location,
                "--blobPort",
                "" + port,
                "--queuePort",
                "0",
                "--tablePort",
                "0",
                "--skipApiVersionCheck",
                "--silent"))
        .toArray(String[]::new);
  }

  /** Asks until a request succeeds, and returns the seconds since the start. */
  private static double answered(URI address, long start) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(address).build();
    while (true) {
      try {
        assertThat(HTTP.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        return (System.nanoTime() - start) / 1e9;
      } catch (ConnectException e) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  /** Returns the address of an authenticated request: the list of containers. */
  private static URI list(int port) {
    BlobServiceClient client =
        new BlobServiceClientBuilder()
            .connectionString(
                ("DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=%s;"
                        + "BlobEndpoint=http://127.0.0.1:%d/devstoreaccount1")
                    .formatted(Dist.DEVELOPMENT_KEY, port))
            .buildClient();
    String signature =
        client.generateAccountSas(
            new AccountSasSignatureValues(
                OffsetDateTime.now(ZoneOffset.UTC).plusHours(1),
                new AccountSasPermission().setListPermission(true),
                new AccountSasService().setBlobAccess(true),
                new AccountSasResourceType().setService(true)));
    return URI.create(client.getAccountUrl() + "/?comp=list&" + signature);
  }

  private static String summary(List<Double> times) {
    return String.format(
        Locale.ROOT,
        "%.2f s: median of %d, %.2f to %.2f s",
        median(times),
        times.size(),
        Collections.min(times),
        Collections.max(times));
  }

  private static double median(List<Double> times) {
    return times.stream().sorted().skip(times.size() / 2).findFirst().orElseThrow();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Returns the script of Azurite; null if npm cannot install it. */
  private static Path azurite() throws Exception {
    String home = System.getenv("AZURITE_HOME");
    Path target = (home == null ? Path.of("target", "azurite") : Path.of(home)).toAbsolutePath();
    Path script = target.resolve("node_modules/azurite/dist/src/azurite.js");
    if (home == null && !Files.exists(script)) {
      Files.createDirectories(target);
      // An input that npm shares with this process would end the talk with Maven.
      Process npm =
          new ProcessBuilder("npm", "install", "--prefix", "" + target, "azurite@" + AZURITE)
              .redirectErrorStream(true)
              .redirectOutput(target.resolve("npm.log").toFile())
              .start();
      npm.waitFor(10, TimeUnit.MINUTES);
    }
    if (Files.exists(script)) {
      return script;
    }
    System.err.println("AZURITE DID NOT RUN: set AZURITE_HOME to a folder with azurite@" + AZURITE);
    return null;
  }
}

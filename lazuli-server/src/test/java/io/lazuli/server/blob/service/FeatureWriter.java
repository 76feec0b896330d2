package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.PackedServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Writes numbered steps to its own blobs with one of the features of blobs. The state after each
 * step is a function of its number, so that the state after a kill shows which step came last.
 * After some steps the writer goes on with another blob, so that the state stays small.
 */
abstract class FeatureWriter implements KillWriter {
  static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";
  static final byte[] NOTHING = new byte[0];

  private static final String CONTAINER = "/kills";

  private final WireServer.Signer signer = new WireServer.Signer(false);
  private final String name;
  private final int stepsPerBlob;
  private volatile int acknowledged;

  FeatureWriter(String name, int stepsPerBlob) {
    this.name = name;
    this.stepsPerBlob = stepsPerBlob;
  }

  /** Writes a step. Returns when the server has acknowledged it. */
  abstract void write(RawConnection connection, int step) throws IOException;

  /** Returns whether the stored state is that after a step. */
  abstract boolean isAfter(RawConnection connection, int step) throws IOException;

  @Override
  public int acknowledged() {
    return acknowledged;
  }

  @Override
  public void write(PackedServer server) {
    try (RawConnection connection = new RawConnection(server.blobPort())) {
      if (acknowledged == 0) {
        send(connection, "PUT", CONTAINER + "?restype=container", NOTHING);
      }
      while (true) {
        int next = acknowledged + 1;
        write(connection, next);
        acknowledged = next;
      }
    } catch (IOException e) {
      // The server is gone. The steps that it acknowledged are counted.
      return;
    }
  }

  @Override
  public int verify(PackedServer server) {
    try (RawConnection connection = new RawConnection(server.blobPort())) {
      for (int step = acknowledged + 1; step >= Math.max(1, acknowledged); step--) {
        if (isAfter(connection, step)) {
          acknowledged = step;
          return 1;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(acknowledged).as("%s is after neither this step nor the next", name).isZero();
    return 0;
  }

  /** Returns the path of the blob that a step changes. */
  final String blob(int step) {
    return CONTAINER + "/" + blobName(step);
  }

  final String blobName(int step) {
    return name + "-" + first(step);
  }

  /** Returns the first step that changes the same blob. */
  final int first(int step) {
    return step - (step - 1) % stepsPerBlob;
  }

  final boolean isFirst(int step) {
    return step == first(step);
  }

  final Answer send(
      RawConnection connection, String method, String path, byte[] body, String... headers)
      throws IOException {
    return KillWriter.send(connection, signer, method, path, body, headers);
  }

  /** Sends a request that must have the given status. */
  final Answer done(
      int status,
      RawConnection connection,
      String method,
      String path,
      byte[] body,
      String... headers)
      throws IOException {
    Answer answer = send(connection, method, path, body, headers);
    assertThat(answer.status()).as(path + " " + answer).isEqualTo(status);
    return answer;
  }

  /** Returns whether a blob, snapshot or version has the given content. */
  final boolean has(RawConnection connection, String path, byte[] content) throws IOException {
    connection.send(KillWriter.head(signer, "GET", path, 0));
    Answer answer = connection.answerWithoutBody();
    byte[] found = connection.bytes(Integer.parseInt(answer.header("Content-Length")));
    return answer.status() == 200 && Arrays.equals(found, content);
  }

  /** Lists the states of a step's blob. Each is an element {@code Blob}. */
  final List<String> list(RawConnection connection, int step, String include) throws IOException {
    String path =
        CONTAINER + "?restype=container&comp=list&include=" + include + "&prefix=" + name + "-";
    Answer answer = send(connection, "GET", path, NOTHING);
    List<String> states = new ArrayList<>();
    for (MatchResult state :
        Pattern.compile("<Blob>.*?</Blob>").matcher(answer.body()).results().toList()) {
      if (state.group().startsWith("<Blob><Name>" + blobName(step) + "<")) {
        states.add(state.group());
      }
    }
    return states;
  }

  static String element(String name, String xml) {
    Pattern pattern = Pattern.compile("<%1$s>([^<]*)</%1$s>".formatted(name));
    return pattern.matcher(xml).results().map(found -> found.group(1)).findFirst().orElse("");
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns content of different sizes, because small content is stored differently. */
  static byte[] content(int step) {
    return BlobsUnderTest.bytes(step % 3 == 0 ? 700 : 100_001, step);
  }
}

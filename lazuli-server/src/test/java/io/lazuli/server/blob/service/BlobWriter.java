package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.PackedServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes versions of its own blob. */
final class BlobWriter implements KillWriter {
  private static final int APPENDED_MAX = 40;
  private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";

  /** The operation that writes a version. */
  enum Way {
    PUT,
    BLOCKS,
    APPEND,
    COPY
  }

  private final WireServer.Signer signer = new WireServer.Signer(false);
  private final Way way;
  private final String blob;
  private volatile int acknowledged;

  BlobWriter(Way way, int number) {
    this.way = way;
    this.blob = "/kills/" + way + number;
  }

  @Override
  public int acknowledged() {
    return acknowledged;
  }

  @Override
  public void write(PackedServer server) {
    try (RawConnection connection = new RawConnection(server.blobPort())) {
      while (true) {
        int next = acknowledged + 1;
        writeVersion(connection, next);
        acknowledged = next;
      }
    } catch (IOException e) {
      // The server is gone. The versions that it acknowledged are counted.
      return;
    }
  }

  private void writeVersion(RawConnection connection, int version) throws IOException {
    byte[] content = content(version);
    if (version == 1) {
      send(connection, "PUT", "/kills?restype=container", new byte[0]);
    }
    switch (way) {
      case PUT -> done(send(connection, "PUT", blob, content, BLOCK_BLOB), 201);
      case BLOCKS -> writeBlocks(connection, content);
      case APPEND -> append(connection, version, content);
      case COPY -> {
        String source = blob + "-source";
        done(send(connection, "PUT", source, content, BLOCK_BLOB), 201);
        String url = "x-ms-copy-source: http://localhost/devstoreaccount1" + source;
        done(send(connection, "PUT", blob, new byte[0], url), 202);
        done(send(connection, "DELETE", source, new byte[0]), 202);
      }
    }
  }

  private void writeBlocks(RawConnection connection, byte[] content) throws IOException {
    int half = content.length / 2;
    String block = blob + "?comp=block&blockid=";
    done(send(connection, "PUT", block + "MA==", Arrays.copyOf(content, half)), 201);
    byte[] rest = Arrays.copyOfRange(content, half, content.length);
    done(send(connection, "PUT", block + "MQ==", rest), 201);
    String list = "<BlockList><Latest>MA==</Latest><Latest>MQ==</Latest></BlockList>";
    byte[] body = list.getBytes(StandardCharsets.UTF_8);
    done(send(connection, "PUT", blob + "?comp=blocklist", body), 201);
  }

  private void append(RawConnection connection, int version, byte[] content) throws IOException {
    String log = name(version);
    if (version == firstOf(version)) {
      send(connection, "PUT", log, new byte[0], "x-ms-blob-type: AppendBlob", "If-None-Match: *");
    }
    done(send(connection, "PUT", log + "?comp=appendblock", content), 201);
  }

  private static void done(Answer answer, int status) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
  }

  private Answer send(
      RawConnection connection, String method, String path, byte[] body, String... headers)
      throws IOException {
    return KillWriter.send(connection, signer, method, path, body, headers);
  }

  /** Returns content of different sizes, because small content is stored differently. */
  private byte[] content(int version) {
    int large = way == Way.APPEND ? 70_001 : 1_500_001;
    return BlobsUnderTest.bytes(version % 3 == 0 ? 700 : large, version);
  }

  @Override
  public int verify(PackedServer server) {
    for (int version = acknowledged + 1; version >= Math.max(1, acknowledged); version--) {
      byte[] found = read(server.blobPort(), name(version));
      if (found != null && Arrays.equals(found, expected(version))) {
        acknowledged = version;
        return 1;
      }
    }
    assertThat(acknowledged).as("%s has neither this version nor the next", blob).isZero();
    return 0;
  }

  /** Returns the name of the blob that has a version. Appended blobs do not grow forever. */
  private String name(int version) {
    return way == Way.APPEND ? blob + "-" + firstOf(version) : blob;
  }

  private static int firstOf(int version) {
    return version - (version - 1) % APPENDED_MAX;
  }

  /** Returns the content; null if there is no such blob. */
  private byte @Nullable [] read(int port, String path) {
    try (RawConnection connection = new RawConnection(port)) {
      connection.send(KillWriter.head(signer, "GET", path, 0));
      Answer answer = connection.answerWithoutBody();
      if (answer.status() == 404) {
        return null;
      }
      done(answer, 200);
      return connection.bytes(Integer.parseInt(answer.header("Content-Length")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] expected(int version) {
    if (way != Way.APPEND) {
      return content(version);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int each = firstOf(version); each <= version; each++) {
      all.writeBytes(content(each));
    }
    return all.toByteArray();
  }
}

package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams large content through real sockets and files, in both directions, in bounded memory
 * (blob-rest 3.4).
 */
class BlobStreamingTest {
  private static final int MIB = 1 << 20;
  private static final byte[] PIECE = piece();

  /** The memory that one streamed body may hold: docs/architecture.md, Streams. */
  private static final long HELD_BYTES_MAX = 2 * (136L << 10);

  @TempDir private static Path folder;

  private static LazuliServer server;

  private final WireServer.Signer signer = new WireServer.Signer(false);
  private RawConnection connection;

  private static byte[] piece() {
    byte[] piece = new byte[MIB];
    new Random(7).nextBytes(piece);
    return piece;
  }

  @BeforeAll
  static void start() {
    server =
        LazuliServer.start(
            ServerConfig.builder()
                .dataFolder(folder)
                .durability(Durability.RELAXED)
                .freePorts()
                .build());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void connect() throws IOException {
    connection = new RawConnection(server.blobPort());
    ask("PUT", "/large?restype=container", "Content-Length: 0");
  }

  @AfterEach
  void disconnect() throws IOException {
    connection.close();
  }

  private String head(String method, String path, String... headers) {
    StringBuilder head = new StringBuilder(method).append(" /devstoreaccount1").append(path);
    head.append(" HTTP/1.1\r\nHost: localhost\r\n").append(signer.lines(method, path, headers));
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  private Answer ask(String method, String path, String... headers) throws IOException {
    return connection.send(head(method, path, headers)).answer();
  }

  /**
   * Sends this many pieces. Returns the maximum number of bytes that the server held in between.
   */
  private long send(int pieces) throws IOException {
    long held = 0;
    for (int i = 0; i < pieces; i++) {
      connection.send(PIECE);
      held = Math.max(held, server.heldBodyBytes());
    }
    return held;
  }

  private long received(long bytes) throws IOException {
    CRC32 crc = new CRC32();
    for (long left = bytes; left > 0; ) {
      byte[] read = connection.bytes((int) Math.min(left, MIB));
      assertThat(read).isNotEmpty();
      crc.update(read);
      left -= read.length;
    }
    return crc.getValue();
  }

  private static long crc(int pieces) {
    CRC32 crc = new CRC32();
    for (int i = 0; i < pieces; i++) {
      crc.update(PIECE);
    }
    return crc.getValue();
  }

  @Test
  void aLargeBlobPassesInBoundedMemory() throws IOException {
    int pieces = 64;
    String length = "Content-Length: " + pieces * (long) MIB;
    connection.send(head("PUT", "/large/one", "x-ms-blob-type: BlockBlob", length));
    assertThat(send(pieces)).isBetween(1L, HELD_BYTES_MAX);
    Answer put = connection.answer();
    assertThat(put.status()).isEqualTo(201);
    assertThat(server.heldBodyBytes()).isZero();
    Answer read = connection.send(head("GET", "/large/one")).answerWithoutBody();
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.header("Content-MD5")).isEqualTo(put.header("Content-MD5"));
    assertThat(received(pieces * (long) MIB)).isEqualTo(crc(pieces));
    Answer part =
        connection
            .send(head("GET", "/large/one", "x-ms-range: bytes=" + 3 * MIB + "-" + (5 * MIB - 1)))
            .answerWithoutBody();
    assertThat(part.status()).isEqualTo(206);
    assertThat(received(2L * MIB)).isEqualTo(crc(2));
  }

  @Test
  void blocksOfABlobAreReadAsOne() throws IOException {
    StringBuilder list = new StringBuilder("<BlockList>");
    for (String id : new String[] {"MDAx", "MDAy", "MDAz"}) {
      String block = "/large/blocks?comp=block&blockid=" + id;
      connection.send(head("PUT", block, "Content-Length: " + 4 * MIB));
      send(4);
      assertThat(connection.answer().status()).isEqualTo(201);
      list.append("<Latest>").append(id).append("</Latest>");
    }
    String body = list.append("</BlockList>").toString();
    String length = "Content-Length: " + body.length();
    assertThat(
            connection
                .send(head("PUT", "/large/blocks?comp=blocklist", length) + body)
                .answer()
                .status())
        .isEqualTo(201);
    assertThat(connection.send(head("GET", "/large/blocks")).answerWithoutBody().status())
        .isEqualTo(200);
    assertThat(received(12L * MIB)).isEqualTo(crc(12));
  }

  @Test
  void aBodyThatIsCutOffLeavesNothing() throws IOException {
    connection.send(
        head("PUT", "/large/cut", "x-ms-blob-type: BlockBlob", "Content-Length: " + 8 * MIB));
    send(3);
    connection.close();
    await().until(() -> server.heldBodyBytes() == 0);
    connection = new RawConnection(server.blobPort());
    Answer read = connection.send(head("GET", "/large/cut")).answer();
    assertThat(read.header("x-ms-error-code")).isEqualTo("BlobNotFound");
  }

  @Test
  void aWaitingClientIsAskedForItsBody() throws IOException {
    String[] headers = {
      "x-ms-blob-type: BlockBlob", "Expect: 100-continue", "Content-Length: " + MIB
    };
    Answer go = connection.send(head("PUT", "/large/asked", headers)).answerWithoutBody();
    assertThat(go.status()).isEqualTo(100);
    send(1);
    assertThat(connection.answer().status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "If-Match: \"0x1\"",
        "If-None-Match: *",
        "x-ms-lease-id: 11111111-1111-1111-1111-111111111111",
        "x-ms-structured-body: XSM/1.0",
        "Content-MD5: abc",
      })
  void aClientThatWouldBeRefusedIsNotAskedForABody(String header) throws IOException {
    ask("PUT", "/large/there", "x-ms-blob-type: BlockBlob", "Content-Length: 0");
    Answer refused =
        ask(
            "PUT",
            "/large/there",
            "x-ms-blob-type: BlockBlob",
            "Expect: 100-continue",
            "Content-Length: " + MIB,
            header);
    assertThat(refused.status()).isBetween(400, 412);
    assertThat(refused.header("Connection")).isEqualTo("close");
  }

  @Test
  void anErrorArrivesWhileTheBodyIsStillBeingSent() throws IOException {
    connection.send(
        head("PUT", "/none/blob", "x-ms-blob-type: BlockBlob", "Content-Length: " + 2 * MIB));
    send(2);
    assertThat(connection.answer().header("x-ms-error-code")).isEqualTo("ContainerNotFound");
    assertThat(ask("GET", "/large/x").status()).isEqualTo(404);
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedByItsLength() throws IOException {
    Answer refused =
        ask(
            "PUT",
            "/large/huge",
            "x-ms-blob-type: BlockBlob",
            "Expect: 100-continue",
            "Content-Length: " + ((5_000L << 20) + 1));
    assertThat(refused.status()).isEqualTo(413);
    assertThat(refused.body()).contains("<MaxLimit>5242880000</MaxLimit>");
  }
}

package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.fuzz.Fuzz;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sends damaged requests to a server. It must never fail or hang, and must work afterwards as
 * before.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WireFuzzTest {
  /** How long to read from a connection without data. */
  private static final int QUIET_MILLIS = 40;

  /** An answer that takes longer counts as a hang. */
  private static final int HANG_MILLIS = 15_000;

  /** Vert.x answers with the protocol name of the request line, whatever that is. */
  private static final Pattern STATUS_LINE = Pattern.compile("[^ ]+ (\\d{3}) ");

  private final LazuliServer server =
      LazuliServer.start(ServerConfig.builder().engine("memory").freePorts().build());
  private final WatchedLog log = new WatchedLog();

  @BeforeEach
  void prepare() throws IOException {
    heal();
  }

  @AfterEach
  void close() {
    log.close();
    server.close();
  }

  /** The requests are signed after the damage, so they pass authentication. */
  @Test
  void signedRequests() throws IOException {
    try (KeptConnection connection = new KeptConnection(server.tablePort())) {
      Fuzz.run(1_000, FuzzedRequest::next, request -> assertAnswered(connection.ask(request)));
    }
    assertWell();
  }

  @Test
  void requestsToQueues() throws IOException {
    try (KeptConnection connection = new KeptConnection(server.queuePort())) {
      Fuzz.run(
          500, FuzzedRequest::nextToQueues, request -> assertAnswered(connection.ask(request)));
    }
    assertWell();
  }

  /**
   * Also damages framing, header lines and credentials. Sends a few requests at a time, to wait
   * only once.
   */
  @Test
  void damagedBytes() {
    Fuzz.run(40, WireFuzzTest::damaged, this::talk);
    assertWell();
  }

  private static List<String> damaged(Random random) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      texts.add(FuzzedRequest.damagedText(random));
    }
    return texts;
  }

  private void talk(List<String> texts) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (String text : texts) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.tablePort());
        sockets.add(socket);
        send(socket, text);
      }
      for (int i = 0; i < texts.size(); i++) {
        int wait = i == 0 ? QUIET_MILLIS : 1;
        assertAnswers(conversation(sockets.get(i), wait), texts.get(i));
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void send(Socket socket, String text) {
    try {
      socket.getOutputStream().write(Mutations.toBytes(text));
    } catch (IOException e) {
      // The server may close the connection early. Its answer is read later.
      assertThat(socket.isConnected()).isTrue();
    }
  }

  /**
   * Returns everything that the server sends until it is quiet. Then the test closes its side, and
   * the server must close too.
   */
  private static String conversation(Socket socket, int quietMillis) throws IOException {
    StringBuilder heard = new StringBuilder();
    socket.setSoTimeout(quietMillis);
    if (!readToEnd(socket, heard)) {
      socket.setSoTimeout(HANG_MILLIS);
      socket.shutdownOutput();
      assertThat(readToEnd(socket, heard)).as("hangs after %s", heard).isTrue();
    }
    return heard.toString();
  }

  /** Returns false if the server is quiet but does not close the connection. */
  private static boolean readToEnd(Socket socket, StringBuilder heard) {
    byte[] buffer = new byte[8192];
    try {
      for (int n = socket.getInputStream().read(buffer); n >= 0; ) {
        heard.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        n = socket.getInputStream().read(buffer);
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  /**
   * Checks every complete answer. Nothing may follow an answer that announces the end of the
   * connection.
   */
  private static void assertAnswers(String heard, String asked) {
    int at = 0;
    while (at < heard.length()) {
      String about = "at %d of %s%nwhich answers %s".formatted(at, heard, asked);
      Matcher statusLine = STATUS_LINE.matcher(heard).region(at, heard.length());
      assertThat(statusLine.lookingAt()).as(about).isTrue();
      int end = heard.indexOf("\r\n\r\n", at);
      if (end < 0) {
        return;
      }
      String head = heard.substring(at, end);
      int status = Integer.parseInt(statusLine.group(1));
      assertThat(isNoFault(status)).as(about).isTrue();
      String announced = status == 100 || status == 204 ? "0" : header(head, "content-length");
      assertThat(announced).as(about).isNotEmpty();
      int length = Integer.parseInt(announced);
      at = end + 4 + length;
      if (header(head, "connection").equals("close")) {
        assertThat(heard.length()).as(about).isLessThanOrEqualTo(at);
      }
    }
  }

  private static String header(String head, String name) {
    for (String line : head.split("\r\n", -1)) {
      if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
        return line.substring(name.length() + 1).strip();
      }
    }
    return "";
  }

  private static void assertAnswered(Answer answer) {
    assertThat(isNoFault(answer.status())).as(answer.toString()).isTrue();
    assertThat(answer.header("x-ms-request-id")).as(answer.toString()).isNotEmpty();
    if (answer.status() >= 400) {
      assertThat(answer.header("x-ms-error-code")).as(answer.toString()).isNotEmpty();
    }
  }

  private static boolean isNoFault(int status) {
    return status < 500 || status == 501;
  }

  /** Checks that no fault was logged, no memory is held, and all workers are free. */
  private void assertWell() {
    assertThat(log.faults()).isEmpty();
    await().until(() -> server.heldBodyBytes() == 0);
    List<RawConnection> crowd = new ArrayList<>();
    try {
      heal();
      for (int i = 0; i < 2 * Limits.WORKER_THREADS; i++) {
        crowd.add(new RawConnection(server.tablePort()).send(FuzzedRequest.healthy()));
      }
      for (RawConnection each : crowd) {
        assertThat(each.answer().status()).isEqualTo(200);
        each.close();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Creates the table and entity of the requests, at the beginning and whenever requests deleted
   * them.
   */
  private void heal() throws IOException {
    try (RawConnection connection = new RawConnection(server.tablePort())) {
      for (String request : FuzzedRequest.creations()) {
        assertThat(connection.ask(request).status()).isIn(201, 204, 409);
      }
    }
  }

  /** A connection that reconnects when the server has closed it. */
  private static final class KeptConnection implements AutoCloseable {
    private final int port;
    private RawConnection connection;

    private KeptConnection(int port) throws IOException {
      this.port = port;
      this.connection = new RawConnection(port);
    }

    Answer ask(FuzzedRequest request) throws IOException {
      connection.send(request.text());
      Answer answer = request.isHead() ? connection.answerWithoutBody() : connection.answer();
      if ("close".equals(answer.header("Connection"))) {
        assertThat(connection.isClosedByServer()).as(answer.toString()).isTrue();
        connection = new RawConnection(port);
      }
      return answer;
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }
}

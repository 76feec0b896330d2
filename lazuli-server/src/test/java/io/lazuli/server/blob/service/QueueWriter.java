package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.PackedServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** Puts numbered messages into a queue, and gets and deletes them once there are a few. */
final class QueueWriter implements KillWriter {
  private static final int MESSAGES_MAX = 4;
  private static final Pattern TEXT = Pattern.compile("<MessageText>(\\d+)<");
  private static final Pattern ID = Pattern.compile("<MessageId>([^<]+)<");
  private static final Pattern RECEIPT = Pattern.compile("<PopReceipt>([^<]+)<");

  private final WireServer.Signer signer = new WireServer.Signer(false);
  private final String queue;
  private final Set<Integer> stored = new TreeSet<>();

  /** Messages whose put or deletion was requested and not acknowledged. */
  private final Set<Integer> unknown = new TreeSet<>();

  private volatile int acknowledged;

  QueueWriter(int number) {
    this.queue = "/kills" + number;
  }

  @Override
  public int acknowledged() {
    return acknowledged;
  }

  @Override
  public void write(PackedServer server) {
    try (RawConnection connection = new RawConnection(server.queuePort())) {
      if (acknowledged == 0) {
        send(connection, "PUT", queue, "");
      }
      while (true) {
        put(connection, acknowledged + 1);
        // Two for each put: after many kills the messages would not fit into one peek otherwise.
        for (int i = 0; i < 2 && stored.size() > MESSAGES_MAX; i++) {
          take(connection);
        }
      }
    } catch (IOException e) {
      // The server is gone. The messages that it acknowledged are known.
      return;
    }
  }

  private void put(RawConnection connection, int next) throws IOException {
    unknown.add(next);
    String body = "<QueueMessage><MessageText>" + next + "</MessageText></QueueMessage>";
    Answer answer = send(connection, "POST", queue + "/messages", body);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    unknown.remove(next);
    stored.add(next);
    acknowledged = next;
  }

  private void take(RawConnection connection) throws IOException {
    Answer answer = send(connection, "GET", queue + "/messages?visibilitytimeout=1", "");
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    Matcher text = TEXT.matcher(answer.body());
    if (!text.find()) {
      return;
    }
    int number = Integer.parseInt(text.group(1));
    assertThat(stored).as("%s: message %d was handed out", queue, number).contains(number);
    unknown.add(number);
    String path =
        "%s/messages/%s?popreceipt=%s"
            .formatted(
                queue,
                group(ID, answer),
                URLEncoder.encode(group(RECEIPT, answer), StandardCharsets.UTF_8));
    Answer deleted = send(connection, "DELETE", path, "");
    // On a slow machine the message may be visible again before it is deleted.
    if (deleted.status() == 204) {
      stored.remove(number);
    }
    unknown.remove(number);
  }

  @Override
  public int verify(PackedServer server) {
    // A message that was handed out before the kill becomes visible again after a second.
    Awaitility.await()
        .atMost(20, TimeUnit.SECONDS)
        .untilAsserted(() -> check(peek(server.queuePort())));
    Set<Integer> found = peek(server.queuePort());
    stored.clear();
    stored.addAll(found);
    unknown.clear();
    acknowledged = Math.max(acknowledged, found.stream().mapToInt(n -> n).max().orElse(0));
    return found.size();
  }

  private void check(Set<Integer> found) {
    Set<Integer> required = new TreeSet<>(stored);
    required.removeAll(unknown);
    assertThat(found).as(queue).containsAll(required);
    Set<Integer> allowed = new TreeSet<>(stored);
    allowed.addAll(unknown);
    assertThat(allowed).as(queue).containsAll(found);
  }

  private Set<Integer> peek(int port) {
    Set<Integer> found = new TreeSet<>();
    try (RawConnection connection = new RawConnection(port)) {
      String path = queue + "/messages?peekonly=true&numofmessages=32";
      Answer answer = send(connection, "GET", path, "");
      for (Matcher text = TEXT.matcher(answer.body()); text.find(); ) {
        assertThat(found.add(Integer.valueOf(text.group(1)))).as("stored once").isTrue();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private Answer send(RawConnection connection, String method, String path, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return KillWriter.send(connection, signer, method, path, bytes);
  }

  private static String group(Pattern pattern, Answer answer) {
    Matcher found = pattern.matcher(answer.body());
    assertThat(found.find()).as(answer.toString()).isTrue();
    return found.group(1);
  }
}

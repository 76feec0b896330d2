package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One queue whose messages are put once, and taken and deleted once. Every answer is checked: a
 * message that was put is handed out at most once before its deletion. Thread-safe.
 */
final class QueueSamples {
  /** The texts have as many bytes as the values of entities. */
  private static final String PADDING = "x".repeat(Samples.VALUE_BYTES - 10);

  private static final Pattern MESSAGE =
      Pattern.compile(
          "<MessageId>([^<]*)</MessageId>.*<PopReceipt>([^<]*)</PopReceipt>"
              + ".*<MessageText>(\\d{10})x*</MessageText>",
          Pattern.DOTALL);

  private final String name;
  private final AtomicLong next = new AtomicLong();
  private final Set<String> stored = ConcurrentHashMap.newKeySet();

  private QueueSamples(String name) {
    this.name = name;
  }

  /** Creates the queue. Blocks. */
  static QueueSamples create(TestAccount account, String name) throws IOException {
    try (SignedConnection connection = account.connect(Service.QUEUE)) {
      Answer answer = connection.send("PUT", "/" + name, "");
      assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }
    return new QueueSamples(name);
  }

  /** Returns the number of messages that were put and not deleted. */
  int backlog() {
    return stored.size();
  }

  /** Puts messages with some clients, through the servers in turn. Blocks. */
  void fill(int messages, int clients, List<TestAccount> servers) {
    AtomicLong left = new AtomicLong(messages - backlog());
    run(
        clients,
        number -> {
          Samples.Client client = puts(servers.get(number % servers.size()));
          return limited(client, left);
        });
  }

  /** Runs clients until one of their requests is refused, which each of them reports. Blocks. */
  static void run(int count, IntFunction<Samples.Client> clients) {
    List<Thread> threads = new ArrayList<>();
    Set<Throwable> failures = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < count; i++) {
      Samples.Client client = clients.apply(i);
      Thread thread =
          new Thread(
              () -> {
                try (client) {
                  while (client.request() == Outcome.SERVED) {
                    assertThat(failures).isEmpty();
                  }
                } catch (AssertionError | RuntimeException e) {
                  failures.add(e);
                }
              },
              "queue client");
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    assertThat(failures).isEmpty();
  }

  /** Returns a client that is refused after all clients together have made so many requests. */
  static Samples.Client limited(Samples.Client client, AtomicLong left) {
    return new Samples.Client() {
      @Override
      public Outcome request() {
        return left.getAndDecrement() > 0 ? client.request() : Outcome.REFUSED;
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  /** Creates a client that puts messages. */
  Samples.Client puts(TestAccount account) {
    return client(account, this::put);
  }

  /** Creates a client that takes a message and deletes it; refused if it finds none. */
  Samples.Client takes(TestAccount account) {
    return client(account, this::take);
  }

  private interface Sending {
    Outcome send(SignedConnection connection) throws IOException;
  }

  private static Samples.Client client(TestAccount account, Sending sending) {
    SignedConnection connection = account.connect(Service.QUEUE);
    return new Samples.Client() {
      @Override
      public Outcome request() {
        try {
          return sending.send(connection);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public void close() {
        try {
          connection.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private Outcome put(SignedConnection connection) throws IOException {
    String text = String.format("%010d", next.incrementAndGet());
    String body = "<QueueMessage><MessageText>" + text + PADDING + "</MessageText></QueueMessage>";
    stored.add(text);
    Answer answer = connection.send("POST", "/" + name + "/messages", body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    return Outcome.SERVED;
  }

  private Outcome take(SignedConnection connection) throws IOException {
    Answer answer = connection.send("GET", "/" + name + "/messages?visibilitytimeout=3600", "");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    Matcher message = MESSAGE.matcher(answer.text());
    if (!message.find()) {
      return Outcome.REFUSED;
    }
    assertThat(stored.remove(message.group(3))).as("message %s", message.group(3)).isTrue();
    String receipt = message.group(2).replace("+", "%2B").replace("/", "%2F").replace("=", "%3D");
    String path = "/" + name + "/messages/" + message.group(1) + "?popreceipt=" + receipt;
    Answer deleted = connection.send("DELETE", path, "");
    assertThat(deleted.status()).as(deleted.text()).isEqualTo(204);
    return Outcome.SERVED;
  }
}

package io.lazuli.server.load.real;

import io.lazuli.server.http.RawConnection.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What programs do in several requests: fill, scan, change with an ETag, work off a queue. */
final class Store {
  private static final int TRANSACTION_MAX = 100;
  private static final Pattern MESSAGE =
      Pattern.compile(
          "<MessageId>([^<]+)</MessageId>.*?<PopReceipt>([^<]+)</PopReceipt>.*?"
              + "<DequeueCount>([^<]+)</DequeueCount>.*?<MessageText>([^<]*)</MessageText>",
          Pattern.DOTALL);

  /** A message that a worker has taken. */
  record Message(String id, String receipt, int taken, String text) {}

  private Store() {}

  static int random(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }

  /** Returns a text without meaning that is the same for the same seed. */
  static String text(int length, long seed) {
    Random random = new Random(seed);
    byte[] letters = new byte[length];
    for (int i = 0; i < length; i++) {
      letters[i] = (byte) ('a' + random.nextInt(26));
    }
    return new String(letters, StandardCharsets.US_ASCII);
  }

  static void pause(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long rest = time.toNanos(); rest > 0; rest = end - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("the test is over");
      }
      LockSupport.parkNanos(rest);
    }
  }

  /** Writes rows of a partition in transactions. */
  static void fill(
      Machine machine, String table, String partition, int count, IntFunction<String> rows) {
    fill(machine, table, partition, count, rows, row -> "\"Value\":" + row);
  }

  static void fill(
      Machine machine,
      String table,
      String partition,
      int count,
      IntFunction<String> rows,
      IntFunction<String> properties) {
    for (int from = 0; from < count; from += TRANSACTION_MAX) {
      List<String> keys = new ArrayList<>();
      List<String> values = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + TRANSACTION_MAX); i++) {
        keys.add(rows.apply(i));
        values.add(properties.apply(i));
      }
      Answer unused = batch(machine, table, partition, keys, values);
    }
  }

  /** Sends a transaction, whose own failure is in the body of the answer. */
  static Answer batch(
      Machine machine, String table, String partition, List<String> rows, List<String> values) {
    Answer answer = machine.ask(Call.batch(table, partition, rows, values));
    int done = answer.body().split("HTTP/1.1 204", -1).length - 1;
    if (answer.status() == Call.ACCEPTED && done != rows.size()) {
      throw new IllegalStateException(table + ": " + answer.body());
    }
    return answer;
  }

  /** Reads all pages of a query. Returns the number of pages. */
  static int scan(Machine machine, String table, String filter, Duration pause) {
    int pages = 0;
    String partition = "";
    String row = "";
    do {
      Call call = Call.query(table, filter);
      if (partition != null && !partition.isEmpty()) {
        call.with("NextPartitionKey", partition);
        if (row != null && !row.isEmpty()) {
          call.with("NextRowKey", row);
        }
      }
      Answer page = machine.ask(call);
      partition = page.header("x-ms-continuation-nextpartitionkey");
      row = page.header("x-ms-continuation-nextrowkey");
      pages++;
      pause(pause);
    } while (partition != null);
    return pages;
  }

  /** Reads an entity and changes it, again if somebody else has changed it in between. */
  static void change(
      Machine machine,
      String table,
      String partition,
      String row,
      String properties,
      Duration think) {
    for (int attempt = 0; attempt < 5; attempt++) {
      String etag = machine.ask(Call.get(table, partition, row)).header("etag");
      pause(think);
      Answer answer = machine.ask(Call.merge(table, partition, row, etag, properties));
      if (answer.status() != Call.CHANGED) {
        return;
      }
    }
  }

  static List<Message> take(Machine machine, String queue, int max, int hiddenSeconds) {
    Matcher found = MESSAGE.matcher(machine.ask(Call.take(queue, max, hiddenSeconds)).body());
    List<Message> messages = new ArrayList<>();
    while (found.find()) {
      messages.add(
          new Message(
              found.group(1), found.group(2), Integer.parseInt(found.group(3)), found.group(4)));
    }
    return messages;
  }

  /** Takes messages, and deletes those that can be handled. The others become visible again. */
  static void work(
      Machine machine, String queue, int max, int hiddenSeconds, Predicate<Message> isHandled) {
    for (Message message : take(machine, queue, max, hiddenSeconds)) {
      if (isHandled.test(message)) {
        Answer unused = machine.ask(Call.delete(queue, message.id(), message.receipt()));
      }
    }
  }
}

package io.lazuli.storage.history.queue;

import io.lazuli.storage.history.Call;
import io.lazuli.storage.history.Target;
import io.lazuli.storage.history.Violation;
import io.lazuli.storage.history.queue.MessageEvent.Kind;
import io.lazuli.storage.history.queue.QueueClient.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * One queue. Its messages are independent of each other, so each is checked alone. At the end the
 * queue is emptied: every message that was put and not deleted must be there.
 */
public final class MessageQueue extends Target<QueueClient> {
  private static final int HELD_MAX = 64;
  private static final int PAGE = 32;
  private static final int SECONDS_SHORT = 1;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final String queue;
  private final int callsMax;
  private final int secondsLong;
  private final Map<String, List<MessageEvent>> messages = new HashMap<>();
  private final Map<String, MessageEvent> lostPuts = new HashMap<>();
  private final List<Long> lostGets = new ArrayList<>();
  private final List<Message> held = new ArrayList<>();
  private long origin;
  private int numbers;
  private volatile int recorded;
  private int lost;

  /**
   * Creates a queue.
   *
   * @param secondsLong how long most messages are invisible
   */
  public MessageQueue(String name, int number, int callsMax, int secondsLong) {
    this.queue = name + number;
    this.callsMax = callsMax;
    this.secondsLong = secondsLong;
  }

  @Override
  public void open(QueueClient client) {
    client.create(queue);
    origin = System.nanoTime();
  }

  @Override
  public boolean isFull() {
    return recorded >= callsMax;
  }

  @Override
  public long calls() {
    return recorded;
  }

  @Override
  public long lost() {
    return lost;
  }

  @Override
  public void work(QueueClient client, int number, Random random) {
    int choice = random.nextInt(100);
    if (choice < 42) {
      put(client, number);
    } else if (choice < 74) {
      int seconds = random.nextInt(4) == 0 ? SECONDS_SHORT : secondsLong;
      for (Message each : get(client, number, 1 + random.nextInt(3), seconds)) {
        use(client, number, random, each);
      }
    } else if (choice < 92) {
      Message old = anyHeld(random);
      if (old != null) {
        use(client, number, random, old);
      }
    } else {
      peek(client, number);
    }
  }

  /** Deletes, updates or keeps a message. A kept receipt may be old when it is used. */
  private void use(QueueClient client, int number, Random random, Message message) {
    int choice = random.nextInt(10);
    if (choice < 6) {
      delete(client, number, message);
    } else if (choice < 8) {
      update(client, number, message, random.nextBoolean() ? 0 : secondsLong);
    }
    if (choice > 4) {
      hold(random, message);
    }
  }

  private synchronized void hold(Random random, Message message) {
    if (held.size() < HELD_MAX) {
      held.add(message);
    } else {
      held.set(random.nextInt(HELD_MAX), message);
    }
  }

  private synchronized Message anyHeld(Random random) {
    return held.isEmpty() ? null : held.get(random.nextInt(held.size()));
  }

  private void put(QueueClient client, int number) {
    String text = nextText();
    long start = System.nanoTime();
    try {
      Message put = client.put(queue, text);
      MessageEvent event = event(Kind.PUT, start, number, "", put.receipt(), 0, 0);
      record(Map.of(put.id(), event), List.of());
    } catch (IOException e) {
      synchronized (this) {
        lost++;
        recorded++;
        lostPuts.put(text, new MessageEvent(Kind.PUT, start, Call.NEVER, number, "", "", 0, 0));
      }
    }
  }

  private synchronized String nextText() {
    return queue + " " + numbers++;
  }

  private static MessageEvent event(
      Kind kind, long start, int client, String used, String issued, int seconds, int dequeues) {
    return new MessageEvent(
        kind, start, System.nanoTime(), client, used, issued, seconds, dequeues);
  }

  private List<Message> get(QueueClient client, int number, int max, int seconds) {
    long start = System.nanoTime();
    try {
      List<Message> got = client.get(queue, max, seconds);
      Map<String, MessageEvent> events = new HashMap<>();
      for (Message each : got) {
        events.put(
            each.id(),
            event(Kind.HAND_OUT, start, number, "", each.receipt(), seconds, each.dequeues()));
      }
      record(events, got);
      return got;
    } catch (IOException e) {
      synchronized (this) {
        lost++;
        recorded++;
        lostGets.add(start);
      }
      return List.of();
    }
  }

  private void peek(QueueClient client, int number) {
    long start = System.nanoTime();
    try {
      List<Message> shown = client.peek(queue, PAGE / 4);
      Map<String, MessageEvent> events = new HashMap<>();
      for (Message each : shown) {
        events.put(each.id(), event(Kind.PEEK, start, number, "", "", 0, each.dequeues()));
      }
      record(events, shown);
    } catch (IOException e) {
      // A peek without an answer says nothing.
      return;
    }
  }

  private boolean delete(QueueClient client, int number, Message message) {
    long start = System.nanoTime();
    try {
      boolean deleted = client.delete(queue, message.id(), message.receipt());
      Kind kind = deleted ? Kind.DELETE : Kind.REFUSED;
      record(
          Map.of(message.id(), event(kind, start, number, message.receipt(), "", 0, 0)), List.of());
      return deleted;
    } catch (IOException e) {
      recordLost(Kind.DELETE, start, number, message, 0);
      return false;
    }
  }

  private void update(QueueClient client, int number, Message message, int seconds) {
    long start = System.nanoTime();
    try {
      String receipt = client.update(queue, message.id(), message.receipt(), seconds);
      Kind kind = receipt.isEmpty() ? Kind.REFUSED : Kind.UPDATE;
      MessageEvent event = event(kind, start, number, message.receipt(), receipt, seconds, 0);
      record(Map.of(message.id(), event), List.of());
    } catch (IOException e) {
      recordLost(Kind.UPDATE, start, number, message, seconds);
    }
  }

  /**
   * Records a call.
   *
   * @param shown the messages of the answer; a message whose put had no answer is known by its text
   */
  private synchronized void record(Map<String, MessageEvent> events, List<Message> shown) {
    recorded++;
    for (Message each : shown) {
      MessageEvent put = lostPuts.remove(each.text());
      if (put != null) {
        log(each.id()).add(put);
      }
    }
    events.forEach((id, event) -> log(id).add(event));
  }

  private synchronized void recordLost(
      Kind kind, long start, int number, Message message, int seconds) {
    recorded++;
    lost++;
    log(message.id())
        .add(new MessageEvent(kind, start, Call.NEVER, number, message.receipt(), "", seconds, 0));
  }

  private List<MessageEvent> log(String id) {
    return messages.computeIfAbsent(id, unused -> new ArrayList<>());
  }

  @Override
  public List<Violation> check(QueueClient client, int number) {
    List<Violation> violations = new ArrayList<>();
    judgeCount(client, violations);
    drain(client, number);
    deleteHidden(client, number);
    judgeCount(client, violations);
    violations.addAll(judgeMessages());
    messages.values().removeIf(MessageQueue::isDeleted);
    // A get or an update without an answer may hide messages for a while. The sweep finds them.
    if (lost == 0) {
      violations.addAll(missing());
      messages.clear();
    }
    return violations;
  }

  private List<Violation> judgeMessages() {
    List<Violation> violations = new ArrayList<>();
    messages.forEach(
        (id, events) -> {
          String name = "queue " + queue + ", message " + id;
          if (events.stream().noneMatch(each -> each.kind() == Kind.PUT)) {
            violations.add(violation(Violation.Kind.DELETED_RETURNED, id, events));
          } else {
            MessageCheck.of(name, events, lostGets, origin).ifPresent(violations::add);
          }
        });
    return violations;
  }

  private Violation violation(Violation.Kind kind, String id, List<MessageEvent> events) {
    StringBuilder text = new StringBuilder("queue " + queue + ", message " + id);
    events.forEach(each -> text.append("\n  ").append(each.line(origin)));
    return new Violation(kind, text.toString());
  }

  private static boolean isDeleted(List<MessageEvent> events) {
    return events.stream().anyMatch(each -> each.kind() == Kind.DELETE && !each.isLost());
  }

  private static boolean mayBeDeleted(List<MessageEvent> events) {
    return events.stream().anyMatch(each -> each.kind() == Kind.DELETE);
  }

  private List<Violation> missing() {
    List<Violation> violations = new ArrayList<>();
    messages.forEach(
        (id, events) -> {
          if (!mayBeDeleted(events)) {
            violations.add(violation(Violation.Kind.LOST_MESSAGE, id, events));
          }
        });
    return violations;
  }

  private void drain(QueueClient client, int number) {
    List<Message> got;
    do {
      got = get(client, number, PAGE, secondsLong);
      got.forEach(each -> delete(client, number, each));
    } while (!got.isEmpty());
  }

  /** Deletes invisible messages with their newest receipts. */
  private void deleteHidden(QueueClient client, int number) {
    List<Message> hidden = new ArrayList<>();
    messages.forEach(
        (id, events) -> {
          if (!mayBeDeleted(events)) {
            hidden.add(new Message(id, newestReceipt(events), 0, ""));
          }
        });
    hidden.stream()
        .filter(each -> !each.receipt().isEmpty())
        .forEach(each -> delete(client, number, each));
  }

  private static String newestReceipt(List<MessageEvent> events) {
    String newest = "";
    int dequeues = -1;
    for (MessageEvent each : events) {
      if (!each.issued().isEmpty() && each.kind() != Kind.UPDATE && each.dequeues() > dequeues) {
        newest = each.issued();
        dequeues = each.dequeues();
      }
    }
    for (int i = 0; i < events.size(); i++) {
      for (MessageEvent each : events) {
        boolean replaces = each.kind() == Kind.UPDATE && each.used().equals(newest);
        newest = replaces && !each.isLost() ? each.issued() : newest;
      }
    }
    return newest;
  }

  private synchronized void countCall() {
    recorded++;
  }

  private void judgeCount(QueueClient client, List<Violation> violations) {
    int count;
    try {
      count = client.count(queue);
    } catch (IOException e) {
      // Without an answer there is nothing to judge.
      return;
    }
    countCall();
    long deleted = messages.values().stream().filter(MessageQueue::isDeleted).count();
    long maybe = messages.values().stream().filter(MessageQueue::mayBeDeleted).count();
    long most = messages.size() - deleted + lostPuts.size();
    long least = messages.size() - maybe;
    if (count < least || count > most) {
      violations.add(
          new Violation(
              Violation.Kind.WRONG_COUNT,
              "queue %s: %d messages, and between %d and %d are there"
                  .formatted(queue, count, least, most)));
    }
  }

  /** Waits until messages that a lost get has taken are visible again, and deletes them. */
  @Override
  public List<Violation> sweep(QueueClient client, int number) {
    long start = System.nanoTime();
    long most = Duration.ofSeconds(secondsLong + 5L).toNanos();
    drain(client, number);
    while (messages.values().stream().anyMatch(events -> !mayBeDeleted(events))
        && System.nanoTime() - start < most) {
      LockSupport.parkNanos(PAUSE.toNanos());
      drain(client, number);
    }
    List<Violation> violations = new ArrayList<>(missing());
    violations.addAll(judgeMessages());
    return violations;
  }
}

package io.lazuli.storage.history.queue;

import io.lazuli.storage.history.Violation;
import io.lazuli.storage.history.queue.MessageEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks everything that happened to one message. Hand-outs are numbered by the server, and an
 * update names the receipt that it replaces. So the receipts of a message have a known order (the
 * chain), and each rule looks at neighbours in it.
 */
final class MessageCheck {
  /** How far the clocks of clients and server may drift apart in a visibility timeout. */
  private static final long MARGIN = Duration.ofMillis(250).toNanos();

  private final String message;
  private final List<MessageEvent> events;
  private final List<Long> lostGets;
  private final List<MessageEvent> chain = new ArrayList<>();
  private final long origin;

  private MessageCheck(
      String message, List<MessageEvent> events, List<Long> lostGets, long origin) {
    this.message = message;
    this.events = events;
    this.lostGets = lostGets;
    this.origin = origin;
  }

  /**
   * Returns the first violation.
   *
   * @param lostGets the start of every get whose answer was lost: it may have taken any message
   * @param origin the time to which those of the report are relative
   */
  static Optional<Violation> of(
      String message, List<MessageEvent> events, List<Long> lostGets, long origin) {
    MessageCheck check = new MessageCheck(message, events, lostGets, origin);
    return Optional.ofNullable(check.first());
  }

  private @Nullable Violation first() {
    Violation found = buildChain();
    found = found == null ? judgeHandOuts() : found;
    found = found == null ? judgePeeks() : found;
    found = found == null ? judgeDeletes() : found;
    return found == null ? judgeRefusals() : found;
  }

  private List<MessageEvent> all(Kind kind) {
    return events.stream().filter(each -> each.kind() == kind).toList();
  }

  private @Nullable Violation buildChain() {
    Map<String, MessageEvent> updates = new HashMap<>();
    for (MessageEvent each : all(Kind.UPDATE)) {
      MessageEvent other = each.isLost() ? null : updates.put(each.used(), each);
      if (other != null) {
        return violation(Violation.Kind.OLD_RECEIPT, other, each);
      }
    }
    List<MessageEvent> handOuts = new ArrayList<>(all(Kind.HAND_OUT));
    handOuts.sort(Comparator.comparingInt(MessageEvent::dequeues));
    for (MessageEvent put : all(Kind.PUT)) {
      follow(put, updates);
    }
    for (int i = 0; i < handOuts.size(); i++) {
      if (i > 0 && handOuts.get(i).dequeues() == handOuts.get(i - 1).dequeues()) {
        return violation(Violation.Kind.HANDED_OUT_TWICE, handOuts.get(i - 1), handOuts.get(i));
      }
      if (handOuts.get(i).dequeues() > i + 1 + lostBefore(handOuts.get(i).end())) {
        return violation(Violation.Kind.WRONG_ANSWER, handOuts.toArray(MessageEvent[]::new));
      }
      follow(handOuts.get(i), updates);
    }
    // The receipt of an update that is left was never issued.
    return updates.isEmpty()
        ? null
        : violation(Violation.Kind.OLD_RECEIPT, updates.values().iterator().next());
  }

  private void follow(MessageEvent first, Map<String, MessageEvent> updates) {
    for (MessageEvent each = first; each != null; each = updates.remove(each.issued())) {
      chain.add(each);
    }
  }

  private long lostBefore(long end) {
    return lostGets.stream().filter(start -> start <= end).count();
  }

  private @Nullable Violation judgeHandOuts() {
    for (int i = 1; i < chain.size(); i++) {
      MessageEvent before = chain.get(i - 1);
      MessageEvent after = chain.get(i);
      if (after.end() < before.start()) {
        return violation(Violation.Kind.OLD_RECEIPT, before, after);
      }
      if (after.kind() == Kind.HAND_OUT && isHidden(before, after.end())) {
        return violation(Violation.Kind.HANDED_OUT_TWICE, before, after);
      }
    }
    return null;
  }

  /** Returns true if a message is certainly invisible at a time, because of this event. */
  private boolean isHidden(MessageEvent event, long time) {
    boolean mayBeUpdated =
        all(Kind.UPDATE).stream()
            .anyMatch(each -> each.isLost() && each.used().equals(event.issued()));
    return !mayBeUpdated
        && time < event.start() + Duration.ofSeconds(event.seconds()).toNanos() - MARGIN;
  }

  private @Nullable Violation judgePeeks() {
    for (MessageEvent peek : all(Kind.PEEK)) {
      List<MessageEvent> shown = new ArrayList<>();
      int dequeues = 0;
      for (MessageEvent each : chain) {
        dequeues = each.kind() == Kind.HAND_OUT ? each.dequeues() : dequeues;
        if (dequeues == peek.dequeues()) {
          shown.add(each);
        } else if (dequeues > peek.dequeues() && each.end() < peek.start()) {
          return violation(Violation.Kind.STALE_READ, each, peek);
        }
      }
      if (shown.isEmpty() ? lostGets.isEmpty() : shown.get(0).start() > peek.end()) {
        return violation(Violation.Kind.WRONG_ANSWER, peek);
      }
      if (!shown.isEmpty() && shown.stream().allMatch(each -> isHidden(each, peek.end()))) {
        return violation(Violation.Kind.HANDED_OUT_TWICE, shown.get(shown.size() - 1), peek);
      }
    }
    return null;
  }

  private @Nullable Violation judgeDeletes() {
    List<MessageEvent> deletes = all(Kind.DELETE).stream().filter(each -> !each.isLost()).toList();
    if (deletes.size() > 1) {
      return violation(Violation.Kind.DELETED_RETURNED, deletes.toArray(MessageEvent[]::new));
    }
    for (MessageEvent delete : deletes) {
      MessageEvent next = successor(delete.used());
      if (next != null) {
        boolean returned = next.start() > delete.end();
        return violation(
            returned ? Violation.Kind.DELETED_RETURNED : Violation.Kind.OLD_RECEIPT, delete, next);
      }
      for (MessageEvent each : all(Kind.PEEK)) {
        if (each.start() > delete.end()) {
          return violation(Violation.Kind.DELETED_RETURNED, delete, each);
        }
      }
    }
    return null;
  }

  /** Returns the event that replaced a receipt. */
  private @Nullable MessageEvent successor(String receipt) {
    for (int i = 0; i + 1 < chain.size(); i++) {
      if (chain.get(i).issued().equals(receipt)) {
        return chain.get(i + 1);
      }
    }
    return null;
  }

  private @Nullable Violation judgeRefusals() {
    for (MessageEvent refused : all(Kind.REFUSED)) {
      MessageEvent next = successor(refused.used());
      boolean explained =
          (next != null && next.start() <= refused.end())
              || lostBefore(refused.end()) > 0
              || events.stream().anyMatch(each -> explains(each, refused));
      if (!explained) {
        return violation(Violation.Kind.LOST_MESSAGE, refused);
      }
    }
    return null;
  }

  private static boolean explains(MessageEvent event, MessageEvent refused) {
    boolean removes =
        event.kind() == Kind.DELETE || (event.kind() == Kind.UPDATE && event.isLost());
    return removes && event.start() <= refused.end();
  }

  /** Reports events together with the one that issued the receipt which they used. */
  private Violation violation(Violation.Kind kind, MessageEvent... shown) {
    StringBuilder text = new StringBuilder(message);
    List<MessageEvent> lines = new ArrayList<>(List.of(shown));
    for (MessageEvent each : shown) {
      events.stream()
          .filter(other -> !each.used().isEmpty() && other.issued().equals(each.used()))
          .filter(other -> !lines.contains(other))
          .forEach(lines::add);
    }
    lines.sort(Comparator.comparingLong(MessageEvent::start));
    lines.forEach(each -> text.append("\n  ").append(each.line(origin)));
    return new Violation(kind, text.toString());
  }
}

package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The behaviour of one hostile connection: the bytes that it sends, and how fast it sends and
 * reads. Without further settings it sends and reads as fast as it can and stays open afterwards.
 * Used by the thread of {@link Attackers}.
 */
final class Attacker {

  static final int UNLIMITED = Integer.MAX_VALUE;

  private final StorageService service;
  private final Iterator<byte[]> requests;
  private int readPerTick = UNLIMITED;
  private int window = UNLIMITED;
  private boolean paced;
  private boolean closesOutput;
  private boolean leaves;

  private final AnswerCount answers = new AnswerCount();
  private @Nullable ByteBuffer current;
  private long begun;
  private boolean due = true;

  private Attacker(StorageService service, Iterator<byte[]> requests) {
    this.service = service;
    this.requests = requests;
  }

  static Attacker sends(StorageService service, byte[]... parts) {
    return new Attacker(service, List.of(parts).iterator());
  }

  /** Sends some bytes at once and then a piece in each tick, without end. */
  static Attacker drips(StorageService service, byte[] first, byte[] piece) {
    Iterator<byte[]> parts =
        Stream.concat(Stream.of(first), Stream.generate(() -> piece)).iterator();
    Attacker attacker = new Attacker(service, parts);
    attacker.paced = true;
    return attacker;
  }

  static Attacker sendsAll(StorageService service, Iterator<byte[]> parts) {
    return new Attacker(service, parts);
  }

  /** Reads at most this many bytes in a tick; 0 if it never reads. */
  Attacker reading(int bytesPerTick) {
    readPerTick = bytesPerTick;
    return this;
  }

  /** Sends a part only if fewer than this many earlier parts wait for their answers. */
  Attacker withWindow(int parts) {
    window = parts;
    return this;
  }

  /** Closes its half of the connection after the last part. */
  Attacker closingOutput() {
    closesOutput = true;
    return this;
  }

  /** Resets the connection after the last part, without waiting for answers. */
  Attacker leaving() {
    leaves = true;
    return this;
  }

  StorageService service() {
    return service;
  }

  boolean isPaced() {
    return paced;
  }

  /** Lets a paced attacker send its next part. */
  void tick() {
    due = true;
  }

  int readPerTick() {
    return readPerTick;
  }

  boolean closesOutput() {
    return closesOutput;
  }

  boolean leaves() {
    return leaves;
  }

  AnswerCount answers() {
    return answers;
  }

  /** Returns the bytes to send now, or null if there are none. */
  @Nullable ByteBuffer toSend() {
    if (current != null && current.hasRemaining()) {
      return current;
    }
    current = null;
    boolean mayBegin = paced ? due : begun - answers.answers() < window;
    if (mayBegin && requests.hasNext()) {
      current = ByteBuffer.wrap(requests.next());
      due = false;
      begun++;
    }
    return current;
  }

  /** Returns true if everything has been sent. */
  boolean hasSentAll() {
    return (current == null || !current.hasRemaining()) && !requests.hasNext();
  }

  /** Returns true if everything has been sent and each part has its answer. */
  boolean hasAllAnswers() {
    return hasSentAll() && answers.answers() >= begun;
  }
}

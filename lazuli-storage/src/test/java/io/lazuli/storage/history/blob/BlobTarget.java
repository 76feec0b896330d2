package io.lazuli.storage.history.blob;

import io.lazuli.storage.history.Call;
import io.lazuli.storage.history.Explanation;
import io.lazuli.storage.history.Linearization;
import io.lazuli.storage.history.Linearization.Contradiction;
import io.lazuli.storage.history.Step;
import io.lazuli.storage.history.Target;
import io.lazuli.storage.history.Violation;
import io.lazuli.storage.history.blob.BlobClient.Changed;
import io.lazuli.storage.history.blob.BlobClient.Read;
import io.lazuli.storage.history.blob.BlobRequest.Verb;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One blob, which clients write, commit, delete and lease, with and without conditions. */
public final class BlobTarget extends Target<BlobClient> {
  private static final int PATIENCE = 1_000;

  private final String container;
  private final String blob;
  private final int callsMax;
  private final Linearization order = new Linearization(new long[BlobRequest.CELLS]);
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<Call> calls = new ArrayList<>();
  private volatile Read known = new Read(0, "");
  private volatile int lease;
  private volatile int recorded;
  private int lost;

  /**
   * Creates a blob.
   *
   * @param container exists
   */
  public BlobTarget(String container, int number, int callsMax) {
    this.container = container;
    this.blob = "b" + number;
    this.callsMax = callsMax;
  }

  @Override
  public void open(BlobClient client) {}

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
  public boolean isUndecided() {
    return order.isUndecided();
  }

  @Override
  public void work(BlobClient client, int number, Random random) {
    int choice = random.nextInt(100);
    if (choice < 40) {
      read(client, number);
    } else if (choice < 66) {
      change(client, number, write(random, Verb.PUT));
    } else if (choice < 74) {
      commit(client, number, write(random, Verb.BLOCKS));
    } else if (choice < 82) {
      change(client, number, write(random, Verb.DELETE));
    } else if (choice < 88) {
      change(client, number, plain(Verb.ACQUIRE, 0));
    } else if (choice < 97) {
      int held = lease;
      if (held != 0) {
        change(client, number, plain(Verb.RELEASE, held));
      }
    } else {
      change(client, number, plain(Verb.BREAK, 0));
    }
  }

  private BlobRequest plain(Verb verb, int held) {
    return new BlobRequest(verb, numbers.incrementAndGet(), BlobRequest.NONE, "", held);
  }

  private BlobRequest write(Random random, Verb verb) {
    int number = numbers.incrementAndGet();
    int held = random.nextInt(3) == 0 ? 0 : lease;
    Read last = known;
    int choice = random.nextInt(5);
    if (choice < 2 && last.number() > 0) {
      return new BlobRequest(verb, number, last.number(), last.etag(), held);
    }
    boolean absent = choice == 2 && verb != Verb.DELETE;
    return new BlobRequest(verb, number, absent ? BlobRequest.ABSENT : BlobRequest.NONE, "", held);
  }

  private void commit(BlobClient client, int number, BlobRequest request) {
    try {
      if (!client.stage(container, blob, request)) {
        return;
      }
    } catch (IOException e) {
      // Staged blocks are invisible.
      return;
    }
    change(client, number, request);
  }

  private void change(BlobClient client, int number, BlobRequest request) {
    long start = System.nanoTime();
    Changed answer;
    try {
      answer = client.change(container, blob, request);
    } catch (IOException e) {
      record(start, Call.NEVER, number, new ChangeStep(request, ChangeStep.LOST));
      return;
    }
    ChangeStep step = new ChangeStep(request, answer);
    record(start, System.nanoTime(), number, step);
    if (step.changes()) {
      remember(request, answer);
    }
  }

  private void remember(BlobRequest request, Changed answer) {
    switch (request.verb()) {
      case PUT, BLOCKS -> known = new Read(request.number(), answer.etag());
      case ACQUIRE -> lease = request.number();
      case RELEASE -> lease = 0;
      case DELETE, BREAK -> {}
    }
  }

  private @Nullable Call read(BlobClient client, int number) {
    long start = System.nanoTime();
    Read answer;
    try {
      answer = client.read(container, blob);
    } catch (IOException e) {
      // A read without an answer says nothing.
      return null;
    }
    Call call = record(start, System.nanoTime(), number, new ContentStep(answer));
    known = answer;
    return call;
  }

  private Call record(long start, long end, int number, Step step) {
    Call call = new Call(start, end, number, step);
    synchronized (calls) {
      calls.add(call);
      recorded++;
      lost += call.isOpen() ? 1 : 0;
    }
    return call;
  }

  private Call readFinally(BlobClient client, int number) {
    for (int i = 0; i < PATIENCE; i++) {
      Call call = read(client, number);
      if (call != null) {
        return call;
      }
    }
    throw new IllegalStateException("the server does not answer");
  }

  @Override
  public List<Violation> check(BlobClient client, int number) {
    readFinally(client, number);
    List<Call> all = List.copyOf(calls);
    List<Violation> violations = new ArrayList<>(repeatedETags(all));
    Contradiction found = order.add(all);
    if (found != null) {
      violations.add(explain(found, all));
    }
    // The sweep needs the writers of the last state only.
    calls.removeIf(
        call ->
            !call.isOpen()
                && order.states().stream()
                    .noneMatch(state -> state[BlobRequest.CONTENT] == call.step().number()));
    return violations;
  }

  @Override
  public List<Violation> sweep(BlobClient client, int number) {
    Contradiction found = order.add(List.of(readFinally(client, number)));
    return found == null ? List.of() : List.of(explain(found, calls));
  }

  private Violation explain(Contradiction found, List<Call> all) {
    Violation violation =
        Explanation.of(
            "container " + container + ", blob " + blob,
            found,
            all,
            cell -> new long[] {Math.abs(cell)},
            cell -> cell == BlobRequest.CONTENT ? "content" : "lease");
    boolean read = found.call().step() instanceof ContentStep;
    return read ? violation : new Violation(kindOfChange(found, violation), violation.what());
  }

  /** Returns a more precise kind if only the lease makes the answer wrong. */
  private static Violation.Kind kindOfChange(Contradiction found, Violation violation) {
    for (long[] state : found.states()) {
      for (long held : new long[] {0, ((ChangeStep) found.call().step()).request().lease()}) {
        if (found.call().step().apply(new long[] {state[BlobRequest.CONTENT], held}) != null) {
          return Violation.Kind.BROKEN_LEASE;
        }
      }
    }
    return violation.kind();
  }

  private List<Violation> repeatedETags(List<Call> all) {
    Map<String, Call> byTag = new HashMap<>();
    Map<Long, Call> byNumber = new HashMap<>();
    for (Call call : all) {
      String etag = etag(call.step());
      long content = content(call.step());
      if (!etag.isEmpty() && content > 0) {
        Call first = byTag.putIfAbsent(etag, call);
        Call other = byNumber.putIfAbsent(content, call);
        if (first != null && content(first.step()) != content) {
          return List.of(repeated(first, call));
        } else if (other != null && !etag(other.step()).equals(etag)) {
          return List.of(repeated(other, call));
        }
      }
    }
    return List.of();
  }

  private static String etag(Step step) {
    if (step instanceof ContentStep read) {
      return read.answer().etag();
    }
    ChangeStep change = (ChangeStep) step;
    boolean writes = change.request().verb() == Verb.PUT || change.request().verb() == Verb.BLOCKS;
    return writes && change.changes() ? change.answer().etag() : "";
  }

  private static long content(Step step) {
    return step instanceof ContentStep read ? read.answer().number() : step.number();
  }

  private Violation repeated(Call first, Call second) {
    return new Violation(
        Violation.Kind.REPEATED_ETAG,
        "container %s, blob %s%n  %s%n  %s"
            .formatted(container, blob, first.line(first.start()), second.line(first.start())));
  }
}

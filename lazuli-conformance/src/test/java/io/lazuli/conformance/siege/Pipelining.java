package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A thousand requests in one write; in the short form, 300. Every request gets its answer, in
 * order, and also if the client closes its half of the connection after it. Other clients send
 * requests for a large blob in the same way and read nothing.
 */
final class Pipelining implements Attack {

  private static final List<Boolean> BOTH = List.of(false, true);
  private static final List<Boolean> HALF_CLOSED = List.of(true);
  private static final int ANSWER_MILLIS_MAX = 20_000;
  private static final Pattern ID = Pattern.compile("(?i)x-ms-client-request-id: (\\d+)");

  @Override
  public String name() {
    return "pipelining";
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.publicContainer(target, 1);
    Stock.largeBlob(target, strength.of(16, 256));
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    List<String> missing = new ArrayList<>();
    int requests = strength.of(300, 1_000);
    try (Attackers attackers = new Attackers(target, 200)) {
      byte[] large = join(target, StorageService.BLOB, "/open/large", 200);
      attackers.keep(
          strength.of(20, 200), () -> Attacker.sends(StorageService.BLOB, large).reading(0));
      attackers.run(strength.period());
      for (StorageService service : StorageService.values()) {
        for (boolean halfClosed : strength == Strength.FULL ? BOTH : HALF_CLOSED) {
          int answered = answersInOrder(target, service, halfClosed, requests);
          if (answered != requests) {
            missing.add(
                "%s%s: %d of %d answers"
                    .formatted(
                        service.word(), halfClosed ? " half-closed" : "", answered, requests));
          }
        }
      }
      attackers.look();
      if (!missing.isEmpty()) {
        throw new IOException(String.join(", ", missing));
      }
      return attackers.summary();
    }
  }

  private static byte[] join(Target target, StorageService service, String resource, int count) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(
          target
              .signed(service, "GET", resource)
              .header("x-ms-client-request-id", String.valueOf(i))
              .bytes());
    }
    return all.toByteArray();
  }

  /** Returns how many answers came before the first one that is missing or out of order. */
  private static int answersInOrder(
      Target target, StorageService service, boolean halfClosed, int wanted) throws IOException {
    String resource =
        service == StorageService.TABLE ? "/Tables?$top=1" : "/?comp=list&maxresults=1";
    byte[] requests = join(target, service, resource, wanted);
    StringBuilder answers = new StringBuilder();
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(ANSWER_MILLIS_MAX);
      socket.connect(target.address(service));
      Thread writer = new Thread(() -> write(socket, requests, halfClosed), "pipelining");
      writer.start();
      byte[] buffer = new byte[64 << 10];
      String last = "x-ms-client-request-id: " + (wanted - 1);
      int count = socket.getInputStream().read(buffer);
      while (count >= 0) {
        answers.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
        boolean all = answers.indexOf(last, Math.max(0, answers.length() - count - 99)) >= 0;
        count = all ? -1 : socket.getInputStream().read(buffer);
      }
    } catch (IOException e) {
      answers.append('\n');
    }
    List<Integer> ids =
        ID.matcher(answers).results().map(found -> Integer.parseInt(found.group(1))).toList();
    return (int) IntStream.range(0, ids.size()).takeWhile(i -> ids.get(i) == i).count();
  }

  /** Writes everything. Returns false if the connection breaks; the reader reports the effect. */
  private static boolean write(Socket socket, byte[] bytes, boolean halfClosed) {
    try {
      socket.getOutputStream().write(bytes);
      if (halfClosed) {
        socket.shutdownOutput();
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}

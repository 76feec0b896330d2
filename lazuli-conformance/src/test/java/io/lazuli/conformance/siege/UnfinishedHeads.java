package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Request heads, request lines, trailers and chunk lines that never end. */
final class UnfinishedHeads implements Attack {

  private static final int LINES = 16_000;
  private static final String HOST = " HTTP/1.1\r\nHost: 127.0.0.1\r\n";

  private static final byte[] HEADERS = bytes("GET /devstoreaccount1/x" + HOST, "a:\r\n", LINES);
  private static final byte[] URL = bytes("GET /devstoreaccount1/", "x", 64_000);
  private static final byte[] TRAILERS =
      bytes("PUT /a/b/c" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "a:\r\n", LINES);
  private static final byte[] CHUNK_LINE =
      bytes("PUT /a/b/c" + HOST + "Transfer-Encoding: chunked\r\n\r\n1;", "x", 64_000);

  private static byte[] bytes(String begin, String repeated, int times) {
    return (begin + repeated.repeat(times)).getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String name() {
    return "heads";
  }

  @Override
  public boolean takesConnections() {
    return true;
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    int count = strength.count(420, HEADERS.length);
    try (Attackers attackers = new Attackers(target, 200)) {
      for (StorageService service : StorageService.values()) {
        attackers.keep(count / 4, () -> Attacker.sends(service, HEADERS));
        for (byte[] other : List.of(URL, TRAILERS, CHUNK_LINE)) {
          attackers.keep(count / 36, () -> Attacker.sends(service, other));
        }
      }
      attackers.run(strength.period());
      return attackers.summary();
    }
  }
}

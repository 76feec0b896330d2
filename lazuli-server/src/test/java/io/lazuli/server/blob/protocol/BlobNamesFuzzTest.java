package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.Mutations;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.fuzz.Fuzz;
import java.math.BigInteger;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Damaged ranges, block ids, names and paths, compared with the rules of the specification. A
 * refused request changes nothing, and an accepted one reads back equal.
 */
class BlobNamesFuzzTest extends BlobFuzz {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");
  private static final Pattern CONTAINER = Pattern.compile("[a-z0-9](-?[a-z0-9])*");

  private static final Mutations RANGES =
      new Mutations(
          List.of("bytes=0-5", "bytes=3-", "bytes=30-99", "bytes=36-40", "bytes=0--1"),
          "-5",
          "bytes=",
          ",7-8",
          "octets=",
          " ");
  private static final Mutations PATHS =
      new Mutations(
          List.of("/fuzzed/a%20b", "/fuzzed/dir/..%2Fc", "/fuzzed//d.", "/$root/a", "/$logs/b"),
          "%2F",
          "%2E%2E",
          "/",
          "%00",
          "%ED%A0%80",
          "%EF%BF%BF",
          "$web",
          "..");

  @Test
  void ranges() {
    Fuzz.run(
        2_000,
        random -> {
          String name = random.nextBoolean() ? "x-ms-range: " : "Range: ";
          return name + visible(RANGES.next(random));
        },
        header -> {
          Answer answer = server.owner("GET", "/fuzzed/keep", "", header);
          String expected = part(header.substring(header.indexOf(':') + 1).strip());
          if (expected == null) {
            assertThat(answer.status()).isEqualTo(416);
            assertThat(answer.header("Content-Range")).isEqualTo("bytes */36");
            assertThat(isAccepted(answer)).isFalse();
          } else {
            assertThat(answer.body()).isEqualTo(expected);
            assertThat(answer.status()).isIn(200, 206);
          }
        });
  }

  /** Returns the range by the table of blob-rest 10.2; null for 416. */
  private static @Nullable String part(String range) {
    Matcher matcher = RANGE.matcher(range);
    if (!matcher.matches()) {
      return CONTENT;
    }
    BigInteger length = BigInteger.valueOf(CONTENT.length());
    BigInteger from = number(matcher.group(1));
    String end = matcher.group(2);
    BigInteger to = end.isEmpty() ? length.max(from) : number(end);
    if (to.compareTo(from) < 0) {
      return CONTENT;
    } else if (from.compareTo(length) >= 0) {
      return null;
    }
    return CONTENT.substring(from.intValue(), to.add(BigInteger.ONE).min(length).intValueExact());
  }

  /** Returns a number; all numbers beyond the length of any blob are equal. */
  private static BigInteger number(String digits) {
    return new BigInteger(digits).min(BigInteger.valueOf(Long.MAX_VALUE));
  }

  /** Returns the characters that a header can hold; runs of spaces count as one in a signature. */
  private static String visible(String text) {
    String shortened = text.length() > 1_000 ? text.substring(0, 1_000) : text;
    return shortened.replaceAll("[^ -~]", "").replaceAll(" +", " ");
  }

  /** The ids of two blocks of one blob. The second may have another length, or may not be an id. */
  private record Ids(String first, String second) {
    static Ids next(Random random) {
      byte[] bytes = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? 70 : 6)];
      random.nextBytes(bytes);
      String first = Base64.getEncoder().encodeToString(bytes);
      if (random.nextInt(3) > 0) {
        bytes = random.nextBoolean() ? bytes : new byte[1 + random.nextInt(66)];
        random.nextBytes(bytes);
        return new Ids(first, Base64.getEncoder().encodeToString(bytes));
      }
      // A space is a plus sign that was not escaped.
      String id = new Mutations(List.of(first), "=", "-_", "\n").next(random);
      return new Ids(first, id.replace(' ', '+'));
    }
  }

  @Test
  void idsOfBlocks() {
    int[] number = new int[1];
    Fuzz.run(
        250,
        Ids::next,
        ids -> {
          String blob = "/fuzzed/ids-" + ++number[0];
          boolean first = length(ids.first) > 0;
          assertThat(isAccepted(putBlock(blob, ids.first, "1"))).isEqualTo(first);
          boolean fits = !first || length(ids.second) == length(ids.first);
          boolean second = length(ids.second) > 0 && fits;
          Answer answer = putBlock(blob, ids.second, "2");
          assertThat(isAccepted(answer)).as(answer.toString()).isEqualTo(second);
          List<String> staged = new ArrayList<>();
          if (first && !ids.first.equals(second ? ids.second : "")) {
            staged.add(ids.first);
          }
          if (second) {
            staged.add(ids.second);
          }
          assertCommitted(blob, staged, second ? (staged.size() == 2 ? "12" : "2") : "1");
        });
  }

  private void assertCommitted(String blob, List<String> staged, String content) {
    if (staged.isEmpty()) {
      Answer none = server.owner("GET", blob + "?comp=blocklist&blocklisttype=all", "");
      assertThat(none.header("x-ms-error-code")).isEqualTo("BlobNotFound");
      return;
    }
    Matcher names = LISTED_NAME.matcher(got(blob + "?comp=blocklist&blocklisttype=uncommitted"));
    assertThat(names.results().map(found -> found.group(1)))
        .containsExactlyInAnyOrderElementsOf(staged);
    StringBuilder list = new StringBuilder("<BlockList>");
    staged.forEach(id -> list.append("<Latest>").append(id).append("</Latest>"));
    created(blob + "?comp=blocklist", list.append("</BlockList>").toString());
    assertThat(got(blob)).isEqualTo(content);
  }

  private Answer putBlock(String blob, String id, String body) {
    String escaped = URLEncoder.encode(id, StandardCharsets.ISO_8859_1).replace("+", "%20");
    return server.owner("PUT", blob + "?comp=block&blockid=" + escaped, body);
  }

  /** Returns the length of a valid id (blob-rest 11.1); 0 for any other text. */
  private static int length(String id) {
    if (id.length() % 4 != 0 || !id.matches("[A-Za-z0-9+/]*={0,2}")) {
      return 0;
    }
    byte[] bytes = Base64.getDecoder().decode(id);
    boolean exact = Base64.getEncoder().encodeToString(bytes).equals(id);
    return exact && bytes.length <= 64 ? bytes.length : 0;
  }

  @Test
  void namesOfBlobs() {
    Fuzz.run(
        500,
        BlobNamesFuzzTest::name,
        name -> {
          Answer put = server.owner("PUT", "/fuzzed/" + escaped(name, 1), "x" + name, BLOCK_BLOB);
          String stored = name.replace('\\', '/');
          boolean good =
              stored.codePoints().noneMatch(Character::isISOControl)
                  && stored.length() <= 1_024
                  && stored.chars().filter(c -> c == '/').count() < 254;
          assertThat(isAccepted(put)).as(put.toString()).isEqualTo(good);
          if (good) {
            assertThat(got("/fuzzed/" + escaped(name, 2))).isEqualTo("x" + name);
            String listed = got("/fuzzed?restype=container&comp=list&prefix=" + escaped(stored, 0));
            assertThat(unescaped(listed)).contains(stored);
            assertThat(server.owner("DELETE", "/fuzzed/" + escaped(name, 0), "").status())
                .isEqualTo(202);
          }
        });
    assertOnlyKeepIsThere();
  }

  /**
   * Returns a name of letters from many scripts and characters that are special in paths and XML;
   * some names are too long.
   */
  private static String name(Random random) {
    List<String> pieces =
        List.of(
            "a", ".", "..", "/", "//", " ", "+", "%", "%2F", "?", "#", "&", "<", "\"", "\\", "ü",
            "中", "😀", "\u0301", "\uFFFE", "\uFFFF", "\u007f", "\u0001", "\u0000", "\u0085", "~");
    StringBuilder name = new StringBuilder("n");
    for (int i = random.nextInt(12); i >= 0; i--) {
      String piece = pieces.get(random.nextInt(pieces.size()));
      name.append(piece.repeat(random.nextInt(40) == 0 ? random.nextInt(1_100) : 1));
    }
    return name.toString();
  }

  /**
   * Returns the name in one of three forms: everything escaped, as little as possible, or only
   * slashes escaped.
   */
  private static String escaped(String name, int way) {
    StringBuilder out = new StringBuilder();
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain = Character.isLetterOrDigit(c) && c < 0x80;
      boolean allowed = plain || "-._~!$'()*,;:@+=".indexOf(c) >= 0 || (c == '/' && way == 1);
      out.append(way > 0 && allowed ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return out.toString();
  }

  /** Returns a listing with its names unescaped (blob-rest 13). */
  private static String unescaped(String xml) {
    Matcher matcher = Pattern.compile("<Name( Encoded=\"true\")?>([^<]*)</Name>").matcher(xml);
    StringBuilder names = new StringBuilder();
    while (matcher.find()) {
      String text = matcher.group(2);
      names.append(
          matcher.group(1) == null
              ? text.replace("&lt;", "<")
                  .replace("&gt;", ">")
                  .replace("&quot;", "\"")
                  .replace("&amp;", "&")
              : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
    }
    return names.toString();
  }

  private void assertOnlyKeepIsThere() {
    String listed = got("/fuzzed?restype=container&comp=list");
    Matcher names = LISTED_NAME.matcher(listed);
    assertThat(names.results().map(found -> found.group(1))).containsExactly("keep");
  }

  @Test
  void namesOfContainers() {
    Mutations names =
        new Mutations(
            List.of("abc", "a-b-c", "$root", "$logs", "$web", "a".repeat(63), "0-9"),
            "-",
            "A",
            "é",
            "$");
    Fuzz.run(
        500,
        random -> names.next(random),
        name -> {
          String shown = name.length() > 200 ? name.substring(0, 200) : name;
          String path = "/" + escaped(shown, 0) + "?restype=container";
          boolean special = shown.equals("$root") || shown.equals("$web");
          boolean ordinary =
              CONTAINER.matcher(shown).matches() && shown.length() >= 3 && shown.length() <= 63;
          boolean good = special || ordinary;
          Answer put = server.owner("PUT", path, "");
          assertThat(isAccepted(put)).as(put.toString()).isEqualTo(good);
          if (good) {
            assertThat(got("/?comp=list&prefix=" + shown)).contains("<Name>" + shown + "</Name>");
            assertThat(server.owner("DELETE", path, "").status()).isEqualTo(202);
          }
        });
    assertThat(got("/?comp=list&include=system")).containsOnlyOnce("<Name>");
  }

  /** Sends raw paths with a token, because a token does not sign the path. */
  @Test
  void paths() {
    String token = WireServer.accountToken("b", "sco", "rwdlacup");
    Fuzz.run(
        800,
        random -> (random.nextBoolean() ? "GET " : "PUT ") + path(random),
        line -> {
          String[] words = line.split(" ", 2);
          boolean put = words[0].equals("PUT");
          Answer answer =
              put
                  ? server.holder(token, "PUT", words[1], "here", BLOCK_BLOB)
                  : server.holder(token, "GET", words[1], "");
          if (isAccepted(answer) && put) {
            assertThat(answer.status()).isEqualTo(201);
            assertThat(server.holder(token, "GET", words[1], "").body()).isEqualTo("here");
            assertThat(server.holder(token, "DELETE", words[1], "").status()).isEqualTo(202);
          }
        });
    assertOnlyKeepIsThere();
  }

  private static String path(Random random) {
    StringBuilder out = new StringBuilder();
    String text = PATHS.next(random);
    for (char c : text.substring(0, Math.min(text.length(), 3_000)).toCharArray()) {
      out.append(c > ' ' && c < 0x7f && c != '?' && c != '#' ? String.valueOf(c) : escape(c));
    }
    return out.length() > 0 && out.charAt(0) == '/' ? out.toString() : "/" + out;
  }

  private static String escape(char c) {
    return "%%%02X".formatted((int) c);
  }
}

package io.lazuli.server.blob.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.request.Conditions.Use;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Ticks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The tables of blob-rest 4, cell by cell, and all combinations against a second implementation.
 */
class ConditionsTest {
  /** Half a second after a whole one: dates show only the whole second. */
  private static final Instant CHANGED = Instant.parse("2026-03-01T12:00:00.5Z");

  private static final long TICKS = Ticks.of(CHANGED);
  private static final Instant BEFORE = Instant.parse("2026-03-01T11:59:59Z");
  private static final Instant SAME = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant AFTER = Instant.parse("2026-03-01T12:00:01Z");
  private static final String THIS = BlobETag.quoted(TICKS);
  private static final String OTHER = "\"0x1\"";

  /** Section 4.1: one failed condition at a time. */
  @ParameterizedTest
  @CsvSource({
    "If-Match, READ, 412 ConditionNotMet",
    "If-Match, WRITE, 412 ConditionNotMet",
    "If-Match, CREATE, 412 ConditionNotMet",
    "If-Match, COPY_TARGET, 412 TargetConditionNotMet",
    "If-Match, URL_TARGET, 412 TargetConditionNotMet",
    "If-Match, COPY_SOURCE, 412 SourceConditionNotMet",
    "If-Match, URL_SOURCE, 412 CannotVerifyCopySource",
    "If-None-Match, READ, 304 ConditionNotMet",
    "If-None-Match, WRITE, 412 ConditionNotMet",
    "If-None-Match, CREATE, 412 ConditionNotMet",
    "If-None-Match, COPY_TARGET, 412 TargetConditionNotMet",
    "If-None-Match, URL_TARGET, 412 TargetConditionNotMet",
    "If-None-Match, COPY_SOURCE, 412 SourceConditionNotMet",
    "If-None-Match, URL_SOURCE, 304 CannotVerifyCopySource",
    "If-Modified-Since, READ, 304 ConditionNotMet",
    "If-Modified-Since, WRITE, 412 ConditionNotMet",
    "If-Modified-Since, CREATE, 412 ConditionNotMet",
    "If-Modified-Since, COPY_TARGET, 412 TargetConditionNotMet",
    "If-Modified-Since, URL_TARGET, 412 TargetConditionNotMet",
    "If-Modified-Since, COPY_SOURCE, 412 SourceConditionNotMet",
    "If-Modified-Since, URL_SOURCE, 304 CannotVerifyCopySource",
    "If-Unmodified-Since, READ, 412 ConditionNotMet",
    "If-Unmodified-Since, WRITE, 412 ConditionNotMet",
    "If-Unmodified-Since, CREATE, 412 ConditionNotMet",
    "If-Unmodified-Since, COPY_TARGET, 412 TargetConditionNotMet",
    "If-Unmodified-Since, URL_TARGET, 412 TargetConditionNotMet",
    "If-Unmodified-Since, COPY_SOURCE, 412 SourceConditionNotMet",
    "If-Unmodified-Since, URL_SOURCE, 412 CannotVerifyCopySource",
    "If-None-Match *, READ, 400 UnsatisfiableCondition",
    "If-None-Match *, WRITE, met",
    "If-None-Match *, CREATE, 409 BlobAlreadyExists",
    "If-None-Match *, COPY_TARGET, 409 BlobAlreadyExists",
    "If-None-Match *, URL_TARGET, 409 BlobAlreadyExists",
    "If-None-Match *, COPY_SOURCE, 400 UnsatisfiableCondition",
    "If-None-Match *, URL_SOURCE, 400 UnsatisfiableCondition",
  })
  void aFailedConditionHasTheAnswerOfItsTable(String header, Use use, String answer) {
    assertThat(show(failed(header).refusal(use, TICKS))).isEqualTo(answer);
  }

  @ParameterizedTest
  @EnumSource(Use.class)
  void conditionsThatHoldAreMet(Use use) {
    assertThat(of(THIS, null, null, null).refusal(use, TICKS)).isNull();
    assertThat(of("*", null, null, null).refusal(use, TICKS)).isNull();
    assertThat(of(null, OTHER, null, null).refusal(use, TICKS)).isNull();
    assertThat(of(null, null, BEFORE, null).refusal(use, TICKS)).isNull();
    assertThat(of(null, null, null, SAME).refusal(use, TICKS)).isNull();
    assertThat(of(null, null, null, AFTER).refusal(use, TICKS)).isNull();
    assertThat(Conditions.NONE.refusal(use, TICKS)).isNull();
  }

  @Test
  void datesAreComparedInWholeSeconds() {
    assertThat(of(null, null, SAME, null).refusal(Use.READ, TICKS))
        .isEqualTo(BlobErrors.NOT_MODIFIED);
    assertThat(of(null, null, null, SAME).refusal(Use.WRITE, TICKS)).isNull();
  }

  /** Section 4.2, reads: the rows of the table. */
  @ParameterizedTest
  @CsvSource({
    "false, true, true, true, 412 ConditionNotMet",
    "false, false, false, false, 412 ConditionNotMet",
    "true, false, true, true, 412 ConditionNotMet",
    "absent, false, false, false, 412 ConditionNotMet",
    "true, true, true, false, met",
    "absent, true, true, false, met",
    "true, absent, false, true, met",
    "absent, absent, false, true, met",
    "true, true, false, false, 304 ConditionNotMet",
    "absent, absent, false, false, 304 ConditionNotMet",
    "true, absent, absent, false, 304 ConditionNotMet",
    "absent, true, false, absent, 304 ConditionNotMet",
    "true, true, true, true, met",
    "absent, absent, absent, absent, met",
  })
  void readsCombineHeaders(
      String match, String unmodified, String noneMatch, String modified, String answer) {
    Conditions conditions =
        of(
            choose(match, THIS, OTHER),
            choose(noneMatch, OTHER, THIS),
            choose(modified, BEFORE, AFTER),
            choose(unmodified, AFTER, BEFORE));
    assertThat(show(conditions.refusal(Use.READ, TICKS))).isEqualTo(answer);
  }

  @Test
  void readsMayListSeveralTags() {
    String list = OTHER + ", " + THIS;
    assertThat(of(list, null, null, null).refusal(Use.READ, TICKS)).isNull();
    assertThat(of(null, list, null, null).refusal(Use.READ, TICKS))
        .isEqualTo(BlobErrors.NOT_MODIFIED);
    assertThat(of(list, null, null, null).formRefusal(Use.READ)).isNull();
    assertThat(of(list, null, null, null).formRefusal(Use.COPY_SOURCE)).isNull();
  }

  /** Section 4.2, writes: the tag counts, and the date next to it does not. */
  @Test
  void theDateBesideATagDoesNotCountInWrites() {
    assertThat(of(null, OTHER, AFTER, null).refusal(Use.WRITE, TICKS)).isNull();
    assertThat(of(null, THIS, BEFORE, null).refusal(Use.WRITE, TICKS))
        .isEqualTo(BlobErrors.CONDITION_NOT_MET);
    assertThat(of(THIS, null, null, BEFORE).refusal(Use.WRITE, TICKS)).isNull();
    assertThat(of(OTHER, null, null, AFTER).refusal(Use.WRITE, TICKS))
        .isEqualTo(BlobErrors.CONDITION_NOT_MET);
  }

  /** Section 4.3. */
  @ParameterizedTest
  @CsvSource({
    "READ, 404 BlobNotFound, 404 BlobNotFound",
    "WRITE, 404 BlobNotFound, 404 BlobNotFound",
    "CREATE, 412 ConditionNotMet, met",
    "COPY_TARGET, 412 TargetConditionNotMet, met",
    "URL_TARGET, 412 TargetConditionNotMet, met",
    "COPY_SOURCE, 404 CannotVerifyCopySource, 404 CannotVerifyCopySource",
    "URL_SOURCE, 404 CannotVerifyCopySource, 404 CannotVerifyCopySource",
  })
  void aMissingBlobMeetsAllButIfMatch(Use use, String withIfMatch, String withAnythingElse) {
    assertThat(show(of(THIS, null, null, null).refusalIfMissing(use))).isEqualTo(withIfMatch);
    assertThat(show(of("*", null, null, null).refusalIfMissing(use))).isEqualTo(withIfMatch);
    for (Conditions other :
        List.of(
            Conditions.NONE,
            of(null, "*", null, null),
            of(null, OTHER, BEFORE, null),
            of(null, null, AFTER, null),
            of(null, null, null, BEFORE))) {
      assertThat(show(other.refusalIfMissing(use))).isEqualTo(withAnythingElse);
    }
  }

  @Test
  void containersKnowDatesOnly() {
    Conditions all = of(OTHER, THIS, BEFORE, AFTER);
    assertThat(all.datesOnly()).isEqualTo(of(null, null, BEFORE, AFTER));
  }

  /** Compares every combination of headers and uses with {@link #retold}. */
  @Test
  void allCombinationsAgreeWithASecondTelling() {
    int compared = 0;
    for (Use use : Use.values()) {
      for (Conditions conditions : allConditions()) {
        String form = show(conditions.formRefusal(use));
        String answer = form.equals("met") ? show(conditions.refusal(use, TICKS)) : form;
        assertThat(answer).as("%s %s", use, conditions).isEqualTo(retold(use, conditions));
        compared++;
      }
    }
    assertThat(compared).isEqualTo(7 * 6 * 6 * 4 * 4);
  }

  private static List<Conditions> allConditions() {
    List<Conditions> all = new ArrayList<>();
    String[] tags = {null, "*", THIS, OTHER, OTHER + "," + THIS, OTHER + ",0x2"};
    Instant[] times = {null, BEFORE, SAME, AFTER};
    for (String match : tags) {
      for (String noneMatch : tags) {
        for (Instant modified : times) {
          for (Instant unmodified : times) {
            all.add(of(match, noneMatch, modified, unmodified));
          }
        }
      }
    }
    return all;
  }

  /** Section 4 implemented with strings: a set of failed headers, then the columns of the table. */
  private static String retold(Use use, Conditions given) {
    List<String> sent = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    ETagCondition match = given.ifMatch();
    ETagCondition noneMatch = given.ifNoneMatch();
    if (match != null) {
      note("match", match.any() || match.toString().contains(BlobETag.text(TICKS)), sent, failed);
    }
    if (noneMatch != null) {
      note("none", !noneMatch.toString().contains(BlobETag.text(TICKS)), sent, failed);
    }
    if (given.ifModifiedSince() != null) {
      note("modified", given.ifModifiedSince().equals(BEFORE), sent, failed);
    }
    if (given.ifUnmodifiedSince() != null) {
      note("unmodified", !given.ifUnmodifiedSince().equals(BEFORE), sent, failed);
    }
    boolean star = noneMatch != null && noneMatch.any();
    String read = retoldRead(star, sent, failed);
    switch (use) {
      case READ -> {
        return read;
      }
      case COPY_SOURCE -> {
        return read.replaceFirst("(304|412) Condition", "412 SourceCondition");
      }
      case URL_SOURCE -> {
        return read.replaceFirst("ConditionNotMet", "CannotVerifyCopySource");
      }
      default -> {}
    }
    boolean severalTags =
        (match != null && match.tags().size() > 1)
            || (noneMatch != null && noneMatch.tags().size() > 1);
    List<List<String>> allowed =
        List.of(
            List.of(),
            List.of("match"),
            List.of("none"),
            List.of("modified"),
            List.of("unmodified"),
            List.of("none", "modified"),
            List.of("match", "unmodified"));
    if (severalTags || !allowed.contains(sent)) {
      return "400 MultipleConditionHeadersNotSupported";
    }
    if (star) {
      return use == Use.WRITE ? "met" : "409 BlobAlreadyExists";
    }
    boolean refused = !sent.isEmpty() && failed.contains(sent.get(0));
    boolean target = use == Use.COPY_TARGET || use == Use.URL_TARGET;
    String code = target ? "412 TargetConditionNotMet" : "412 ConditionNotMet";
    return refused ? code : "met";
  }

  private static String retoldRead(boolean star, List<String> sent, List<String> failed) {
    if (failed.contains("match") || failed.contains("unmodified")) {
      return "412 ConditionNotMet";
    }
    if (star) {
      return "400 UnsatisfiableCondition";
    }
    List<String> group = new ArrayList<>(List.of("none", "modified"));
    group.retainAll(sent);
    if (!group.isEmpty() && failed.containsAll(group)) {
      return "304 ConditionNotMet";
    }
    return "met";
  }

  private static void note(String name, boolean holds, List<String> sent, List<String> failed) {
    sent.add(name);
    if (!holds) {
      failed.add(name);
    }
  }

  private static Conditions failed(String header) {
    return switch (header) {
      case "If-Match" -> of(OTHER, null, null, null);
      case "If-None-Match" -> of(null, THIS, null, null);
      case "If-None-Match *" -> of(null, "*", null, null);
      case "If-Modified-Since" -> of(null, null, AFTER, null);
      default -> of(null, null, null, BEFORE);
    };
  }

  private static <T> @Nullable T choose(String wanted, T holds, T fails) {
    return switch (wanted) {
      case "true" -> holds;
      case "false" -> fails;
      default -> null;
    };
  }

  private static Conditions of(
      @Nullable String match,
      @Nullable String noneMatch,
      @Nullable Instant modified,
      @Nullable Instant unmodified) {
    return new Conditions(
        ETagCondition.parse("If-Match", match),
        ETagCondition.parse("If-None-Match", noneMatch),
        modified,
        unmodified);
  }

  private static String show(@Nullable ServiceError error) {
    return error == null ? "met" : error.status() + " " + error.code();
  }
}

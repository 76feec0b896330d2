package io.lazuli.server.auth;

import io.lazuli.server.access.AccessTime;
import io.lazuli.server.auth.NearMisses.Mistake;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The mistakes that clients make when they sign a shared access signature. The fields come from the
 * server's own code.
 */
final class SasMistakes {
  private static final String PERMISSIONS = "rwdxylacuptfi";
  private static final String SERVICES = "bqtf";
  private static final String TYPES = "sco";
  private static final List<String> VERSIONS =
      List.of(
          "2013-08-15",
          "2014-02-14",
          "2015-02-21",
          "2015-04-05",
          "2017-04-17",
          "2017-07-29",
          "2018-03-28",
          "2018-11-09",
          "2019-02-02",
          "2019-07-07",
          "2019-12-12",
          "2020-04-08",
          "2020-10-02",
          "2020-12-06",
          "2021-06-08",
          "2022-11-02",
          "2023-11-03",
          "2024-11-04",
          "2025-05-05");

  private SasMistakes() {}

  /**
   * The fields of a string-to-sign.
   *
   * @param end the text after the last field
   */
  record Draft(List<SignedField> fields, String end) {
    String text() {
      return SasForm.join(fields) + end;
    }

    String value(int at) {
      return fields.get(at).value();
    }

    Draft with(int at, String value) {
      List<SignedField> changed = new ArrayList<>(fields);
      changed.set(at, new SignedField(fields.get(at).name(), value));
      return new Draft(changed, end);
    }
  }

  /**
   * Returns the mistakes that may have been made in a signature.
   *
   * @param other returns the fields for another version; null if that version has none
   * @param name the resource's name as it was sent, for a service SAS; null for an account SAS
   */
  static List<Mistake<Draft>> of(
      Draft draft,
      String account,
      @Nullable String name,
      Function<String, @Nullable List<SignedField>> other) {
    List<Mistake<Draft>> all = new ArrayList<>();
    for (int i = 0; i < draft.fields().size(); i++) {
      SignedField field = draft.fields().get(i);
      addValues(all, field);
      if (field.name().equals(SasForm.CANONICAL) && name != null) {
        addResources(all, account, name);
      }
    }
    for (String version : VERSIONS) {
      List<SignedField> fields = other.apply(version);
      if (fields != null) {
        all.add(new Mistake<>("sv were " + version, made -> new Draft(fields, made.end())));
      }
    }
    draft.fields().forEach(field -> addLines(all, field.name()));
    all.add(
        draft.end().isEmpty()
            ? new Mistake<>(
                "there were a line feed after the last field",
                made -> new Draft(made.fields(), "\n"))
            : new Mistake<>(
                "there were no line feed after the last field",
                made -> new Draft(made.fields(), "")));
    return all;
  }

  private static void addValues(List<Mistake<Draft>> all, SignedField field) {
    String name = field.name();
    switch (name) {
      case "sp" ->
          all.add(value(name, "the letters of sp were in the standard order", sorted(PERMISSIONS)));
      case "ss" ->
          all.add(value(name, "the letters of ss were in the standard order", sorted(SERVICES)));
      case "srt" ->
          all.add(value(name, "the letters of srt were in the standard order", sorted(TYPES)));
      case "st", "se" -> addTimes(all, name);
      case "spr" -> {
        all.add(value(name, "spr were https,http", value -> "https,http"));
        all.add(value(name, "spr were https", value -> "https"));
      }
      default -> {}
    }
    if (!field.value().isEmpty() && !name.equals(SasForm.CANONICAL)) {
      all.add(value(name, name + " were signed as an empty field", value -> ""));
    }
  }

  private static void addTimes(List<Mistake<Draft>> all, String name) {
    all.add(
        value(
            name,
            name + " were signed in escaped form, with %3A",
            value -> value.replace(":", "%3A")));
    all.add(time(name, " had no seconds", time -> time.toString().substring(0, 16) + "Z"));
    all.add(
        time(name, " had seconds and no fraction", time -> time.toString().substring(0, 19) + "Z"));
    all.add(time(name, " had seven fractional digits", AccessTime::format));
  }

  private static Mistake<Draft> time(String name, String says, Function<Instant, String> written) {
    return value(
        name,
        name + says,
        value -> {
          Instant time = AccessTime.parse(value);
          return time == null ? null : written.apply(time);
        });
  }

  private static void addResources(List<Mistake<Draft>> all, String account, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    all.add(
        value(
            SasForm.CANONICAL,
            "the name were signed as written; it must be signed in lower case",
            value -> value.substring(0, value.length() - name.length()) + name));
    all.add(
        value(
            SasForm.CANONICAL,
            "the canonicalized resource did not begin with the service",
            value -> "/" + account + "/" + lower));
    all.add(
        value(
            SasForm.CANONICAL,
            "the canonicalized resource contained the account twice; it must contain it once",
            value -> value.replace("/" + account + "/", "/" + account + "/" + account + "/")));
    all.add(
        value(
            SasForm.CANONICAL,
            "the canonicalized resource ended after the account, without the name",
            value -> value.substring(0, value.length() - name.length() - 1)));
  }

  private static void addLines(List<Mistake<Draft>> all, String name) {
    all.add(
        new Mistake<>(
            "the line of " + name + " were missing",
            draft -> {
              List<SignedField> fields = new ArrayList<>(draft.fields());
              return fields.removeIf(field -> field.name().equals(name))
                  ? new Draft(fields, draft.end())
                  : null;
            }));
    all.add(
        new Mistake<>(
            name + " and the next field were swapped",
            draft -> {
              int at = at(draft, name);
              if (at < 0 || at + 1 == draft.fields().size()) {
                return null;
              }
              List<SignedField> fields = new ArrayList<>(draft.fields());
              fields.add(at, fields.remove(at + 1));
              return new Draft(fields, draft.end());
            }));
  }

  private static Mistake<Draft> value(
      String name, String says, Function<String, @Nullable String> change) {
    return new Mistake<>(
        says,
        draft -> {
          int at = at(draft, name);
          String changed = at < 0 ? null : change.apply(draft.value(at));
          return changed == null || changed.equals(draft.value(at))
              ? null
              : draft.with(at, changed);
        });
  }

  private static int at(Draft draft, String name) {
    for (int i = 0; i < draft.fields().size(); i++) {
      if (draft.fields().get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static Function<String, @Nullable String> sorted(String order) {
    return letters ->
        letters
            .chars()
            .mapToObj(c -> String.valueOf((char) c))
            .sorted(Comparator.comparingInt(order::indexOf))
            .reduce("", String::concat);
  }
}

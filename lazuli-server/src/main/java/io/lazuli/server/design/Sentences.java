package io.lazuli.server.design;

import io.lazuli.server.design.Access.Verb;
import io.lazuli.server.error.ServiceException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads sentences such as {@code list Order by customer newest first 20 400/s}. docs/model.md has
 * their form. Names that contain spaces stand in single quotes.
 */
final class Sentences {
  private static final Pattern TOKEN =
      Pattern.compile("'([^']*)'|(\\d[\\d,.]*(?:/\\w+)?|,|[^\\s,']+)");
  private static final Pattern RATE =
      Pattern.compile("(\\d{1,9}(?:,\\d{3})*(?:\\.\\d{1,6})?)/(s|min|h|day)");
  private static final Set<String> WORDS =
      Set.of(
          "by",
          "between",
          "starting",
          "newest",
          "oldest",
          "ordered",
          "first",
          "with",
          "older",
          "changing");
  private static final double RATE_MAX = 1e7;
  private static final int NUMBER_MAX = 1_000_000;

  private record Token(String text, boolean quoted) {
    boolean is(String word) {
      return !quoted && text.equalsIgnoreCase(word);
    }
  }

  private final List<EntityType> entities;
  private final List<Token> tokens = new ArrayList<>();
  private final String text;
  private final int line;
  private int at;

  private final List<String> by = new ArrayList<>();
  private @Nullable String range;
  private boolean prefix;
  private @Nullable String order;
  private boolean descending;
  private int limit;
  private @Nullable String with;
  private int olderDays;
  private final List<String> changes = new ArrayList<>();
  private double perSecond = 1;

  private Sentences(List<EntityType> entities, String text, int line) {
    this.entities = entities;
    this.text = text;
    this.line = line;
  }

  /**
   * Reads a sentence.
   *
   * @param line its number, for errors
   */
  static Access parse(List<EntityType> entities, String text, int line) {
    Sentences reader = new Sentences(entities, text.strip(), line);
    return reader.access();
  }

  private ServiceException wrong(String why) {
    return ModelErrors.invalid("Access " + line + ": " + why);
  }

  private Access access() {
    if (text.length() > Model.SENTENCE_CHARS_MAX
        || text.chars().anyMatch(Character::isISOControl)) {
      throw wrong("a sentence has at most 500 characters, on one line.");
    }
    tokenize();
    Verb verb = verb();
    EntityType entity = entity();
    while (at < tokens.size()) {
      part(verb, entity);
    }
    check(verb, entity);
    return new Access(
        text,
        verb,
        entity.name(),
        by,
        range,
        prefix,
        order,
        descending,
        limit,
        with,
        olderDays,
        changes,
        perSecond);
  }

  /** Divides the sentence. Tokens cover all of it except spaces and a quote that is not closed. */
  private void tokenize() {
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (matcher.find()) {
      requireBlank(end, matcher.start());
      end = matcher.end();
      String quoted = matcher.group(1);
      tokens.add(quoted == null ? new Token(matcher.group(2), false) : new Token(quoted, true));
    }
    requireBlank(end, text.length());
  }

  private void requireBlank(int from, int to) {
    if (!text.substring(from, to).isBlank()) {
      throw wrong("a quote is not closed. Names with spaces stand between two single quotes.");
    }
  }

  private void check(Verb verb, EntityType entity) {
    if (verb == Verb.READ && by.isEmpty()) {
      throw wrong("read needs by and the properties whose values are given.");
    }
    if (verb != Verb.LIST && (range != null || order != null || limit > 0)) {
      throw wrong("only list has a range, an order or a number.");
    }
    if (!changes.isEmpty() && verb != Verb.UPDATE) {
      throw wrong("only update has changing.");
    }
    if (olderDays > 0 && (verb != Verb.DELETE || entity.time() == null)) {
      throw wrong("older than needs delete, and an entity with a DateTime.");
    }
    if (with != null && verb.reads() && entity.property(with).refersTo() == null) {
      throw wrong("with needs a property that refers to another entity.");
    }
  }

  private Verb verb() {
    String word = next("a sentence begins with read, list, insert, update, delete or archive.");
    for (Verb verb : Verb.values()) {
      if (verb.name().equals(word.toUpperCase(Locale.ROOT))) {
        return verb;
      }
    }
    throw wrong("a sentence begins with read, list, insert, update, delete or archive.");
  }

  private EntityType entity() {
    return named(next("the name of an entity follows the verb."));
  }

  private EntityType named(String name) {
    EntityType exact = Model.find(entities, name);
    if (exact != null) {
      return exact;
    }
    for (EntityType entity : entities) {
      if (entity.name().equalsIgnoreCase(name)) {
        return entity;
      }
    }
    throw wrong("the model has no entity of this name.");
  }

  private String next(String otherwise) {
    if (at == tokens.size()) {
      throw wrong(otherwise);
    }
    return tokens.get(at++).text();
  }

  private boolean take(String word) {
    boolean is = at < tokens.size() && tokens.get(at).is(word);
    at += is ? 1 : 0;
    return is;
  }

  private void part(Verb verb, EntityType entity) {
    if (take("by")) {
      do {
        String property = keyProperty(entity);
        if (by.contains(property)) {
          throw wrong("by names a property twice.");
        }
        by.add(property);
      } while (take(",") || isName());
    } else if (take("between")) {
      range(keyProperty(entity), false);
    } else if (take("starting")) {
      require("with", "starting is followed by with and a property.");
      String property = keyProperty(entity);
      if (entity.property(property).type() != Type.STRING) {
        throw wrong("starting with needs a String.");
      }
      range(property, true);
    } else if (take("newest")) {
      timeOrder(entity, true);
    } else if (take("oldest")) {
      timeOrder(entity, false);
    } else if (take("ordered")) {
      require("by", "ordered is followed by by and a property.");
      order = keyProperty(entity);
      descending = take("descending");
    } else if (take("first")) {
      limit = number();
    } else if (take("with")) {
      with(verb, entity);
    } else if (take("changing")) {
      do {
        changes.add(property(entity, next("the name of a property is missing.")).name());
      } while (take(",") || isName());
    } else if (take("older")) {
      require("than", "older is followed by than, a number and days.");
      olderDays = number();
      require("days", "older than is followed by a number and days.");
    } else {
      rate();
    }
  }

  /** Returns whether another property follows although the comma is missing. */
  private boolean isName() {
    return at < tokens.size()
        && (tokens.get(at).quoted()
            || (!WORDS.contains(tokens.get(at).text().toLowerCase(Locale.ROOT))
                && !RATE.matcher(tokens.get(at).text()).matches()));
  }

  private void range(String property, boolean asPrefix) {
    if (range != null) {
      throw wrong("there is one range at most.");
    }
    range = property;
    prefix = asPrefix;
  }

  private void timeOrder(EntityType entity, boolean newest) {
    require("first", "newest and oldest are followed by first.");
    Property time = entity.time();
    if (time == null) {
      throw wrong("newest first needs an entity with a DateTime.");
    }
    order = time.name();
    descending = newest;
    if (at < tokens.size() && tokens.get(at).text().matches("\\d[\\d,]*")) {
      limit = number();
    }
  }

  private void with(Verb verb, EntityType entity) {
    String name = next("with is followed by a name.");
    with = verb.reads() ? property(entity, name).name() : named(name).name();
  }

  private void require(String word, String otherwise) {
    if (!take(word)) {
      throw wrong(otherwise);
    }
  }

  private int number() {
    String word = next("a number is missing.").replace(",", "");
    if (!word.matches("\\d{1,7}") || Integer.parseInt(word) < 1) {
      throw wrong("a number is missing.");
    }
    return Math.min(NUMBER_MAX, Integer.parseInt(word));
  }

  private void rate() {
    Matcher rate = RATE.matcher(tokens.get(at).text());
    if (!rate.matches()) {
      throw wrong("word " + (at + 1) + " is not understood.");
    }
    at++;
    double each = new BigDecimal(rate.group(1).replace(",", "")).doubleValue();
    int seconds =
        switch (rate.group(2)) {
          case "s" -> 1;
          case "min" -> 60;
          case "h" -> 3_600;
          default -> 86_400;
        };
    perSecond = Math.min(RATE_MAX, each / seconds);
  }

  private String keyProperty(EntityType entity) {
    Property property = property(entity, next("the name of a property is missing."));
    if (!property.type().fitsKey()) {
      throw wrong("a Double or Binary cannot be searched by keys.");
    }
    return property.name();
  }

  private Property property(EntityType entity, String name) {
    Property exact = entity.find(name);
    if (exact != null) {
      return exact;
    }
    for (Property each : entity.properties()) {
      if (each.name().equalsIgnoreCase(name)) {
        return each;
      }
    }
    throw wrong("the entity has no property of this name.");
  }
}

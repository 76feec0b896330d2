package io.lazuli.server.config;

import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One setting. The names of its option and variable are derived from its key.
 *
 * @param key the key in the file
 * @param kind the type of the values
 * @param description one or two sentences, without the default
 * @param put parses a text and sets the value; false if the text is invalid
 * @param read returns the effective value as text; null if there is none
 * @param otherwise the key whose value applies if this one has none; empty if there is none
 */
public record Setting(
    String key,
    Kind<?> kind,
    String description,
    Put put,
    Function<Launch, @Nullable String> read,
    String otherwise) {

  /** Sets a value. */
  @FunctionalInterface
  interface Put {
    boolean into(Draft draft, String text);
  }

  static <T> Setting setting(
      String key,
      Kind<T> kind,
      String description,
      BiConsumer<Draft, T> set,
      Function<Launch, @Nullable T> get) {
    return new Setting(
        key,
        kind,
        description,
        (draft, text) -> {
          T value = kind.parse().apply(text);
          if (value == null) {
            return false;
          }
          set.accept(draft, value);
          return true;
        },
        launch -> {
          T value = get.apply(launch);
          return value == null ? null : kind.show().apply(value);
        },
        "");
  }

  Setting otherwise(String other) {
    return new Setting(key, kind, description, put, read, other);
  }

  static Setting hostSetting(
      String key,
      String description,
      BiConsumer<Draft, String> set,
      Function<Launch, @Nullable String> get) {
    return setting(key, Kind.HOST, description, set, get).otherwise("host");
  }

  public String option() {
    return "--" + key;
  }

  public String variable() {
    return Settings.VARIABLE_PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Returns the placeholder for a value in help and documents. */
  public String label() {
    return kind.label();
  }

  /** Returns whether the setting is on or off. As an option it needs no value. */
  public boolean isSwitch() {
    return kind.equals(Kind.SWITCH);
  }

  /** Returns whether the value is a list, whose elements may be given by several options. */
  public boolean isList() {
    return Kind.LISTS.contains(kind);
  }

  /** Returns whether the value is masked wherever it is shown. */
  private boolean isSecret() {
    return kind.equals(Kind.SECRET)
        || kind.equals(Kind.ACCOUNT_KEYS)
        || kind.equals(Kind.BACKUP_TARGET);
  }

  /** Returns the default as text; null if there is none. */
  public @Nullable String standard() {
    return read.apply(new Draft().build());
  }

  /** Returns the effective value with secrets masked; null if there is none. */
  public @Nullable String shown(Launch launch) {
    String value = read.apply(launch);
    return isSecret() && value != null ? "****" : value;
  }

  /**
   * Parses a value and stores it in the draft.
   *
   * @throws ConfigException if the text is invalid
   */
  void put(Draft draft, Given given) {
    if (!put.into(draft, given.text())) {
      String value = isSecret() ? "" : ", not \"" + given.text() + "\"";
      throw new ConfigException(given.origin() + " must be " + kind.wanted() + value);
    }
  }
}

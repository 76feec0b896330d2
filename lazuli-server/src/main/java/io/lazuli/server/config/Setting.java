package io.lazuli.server.config;

import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be set. Its key gives the names of its option and of its variable.
 *
 * @param key as it stands in the file
 * @param kind what a good value is
 * @param description one sentence or two; defaults are told by who prints it
 * @param put sets the value that the text is; false if it is none
 * @param read the text of what is in force; null if nothing is
 * @param otherwise the key whose value counts if this one has none; empty if there is no such
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

  /** How a value is written in help and documents. */
  public String label() {
    return kind.label();
  }

  /** On or off; as an option it needs no value. */
  public boolean isSwitch() {
    return kind.equals(Kind.SWITCH);
  }

  /** Whether its value is masked wherever it is shown. */
  private boolean isSecret() {
    return kind.equals(Kind.SECRET) || kind.equals(Kind.ACCOUNT_KEYS);
  }

  /** What counts if nobody sets it; null if nothing does. */
  public @Nullable String standard() {
    return read.apply(new Draft().build());
  }

  /** What is in force, for eyes: secrets are masked. Null if nothing is. */
  public @Nullable String shown(Launch launch) {
    String value = read.apply(launch);
    return isSecret() && value != null ? "****" : value;
  }

  /**
   * @throws ConfigException if the text is no good value
   */
  void put(Draft draft, Given given) {
    if (!put.into(draft, given.text())) {
      String value = isSecret() ? "" : ", not \"" + given.text() + "\"";
      throw new ConfigException(given.origin() + " must be " + kind.wanted() + value);
    }
  }
}

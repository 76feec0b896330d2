package io.lazuli.server.check;

/**
 * A damage that a check has found.
 *
 * @param place where it is
 * @param key the key of the entity, the id of the message, the name of the blob, or the file
 * @param problem one sentence for an operator, without its full stop
 */
public record Finding(Place place, String key, String problem, Fix fix) {
  public Finding(Place place, String key, String problem) {
    this(place, key, problem, Fix.NONE);
  }

  /** Returns a line for an operator. */
  public String line() {
    return place.line() + ", " + key + ": " + problem;
  }
}

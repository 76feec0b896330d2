package io.lazuli.transfer.entity;

import java.util.List;

/**
 * An entity as it is in a file or in an answer.
 *
 * @param timestamp the time of the last change, or empty; an import does not use it
 */
public record Entity(Key key, String timestamp, List<Property> properties) {
  public Entity {
    properties = List.copyOf(properties);
  }
}

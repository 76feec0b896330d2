package io.lazuli.server.blob.tag;

import java.util.List;
import java.util.Map;

/**
 * A condition on the tags of a blob (blob-features 1.5 and 1.6). Texts are compared by their code
 * units. A comparison with a key that the blob does not have is false, whatever its operator.
 */
public sealed interface TagExpression {
  /** Returns true if the tags meet the condition. */
  boolean matches(Map<String, String> tags);

  /** All parts must hold. */
  record All(List<TagExpression> parts) implements TagExpression {
    public All {
      parts = List.copyOf(parts);
    }

    @Override
    public boolean matches(Map<String, String> tags) {
      return parts.stream().allMatch(part -> part.matches(tags));
    }
  }

  /** One part must hold. */
  record Any(List<TagExpression> parts) implements TagExpression {
    public Any {
      parts = List.copyOf(parts);
    }

    @Override
    public boolean matches(Map<String, String> tags) {
      return parts.stream().anyMatch(part -> part.matches(tags));
    }
  }

  /** Compares the value of one tag. */
  record Comparison(String key, TagOperator operator, String value) implements TagExpression {
    @Override
    public boolean matches(Map<String, String> tags) {
      String found = tags.get(key);
      return found != null && operator.holds(found.compareTo(value));
    }
  }
}

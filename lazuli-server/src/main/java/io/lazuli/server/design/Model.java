package io.lazuli.server.design;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Entities, and what a program does with them. Names in it agree with each other. */
public record Model(List<EntityType> entities, List<Access> accesses) {
  public static final int ENTITIES_MAX = 16;
  public static final int ACCESSES_MAX = 64;
  public static final int NAME_CHARS_MAX = 64;
  public static final int SENTENCE_CHARS_MAX = 500;

  public Model {
    entities = List.copyOf(entities);
    accesses = List.copyOf(accesses);
    if (entities.isEmpty() || entities.size() > ENTITIES_MAX) {
      throw ModelErrors.invalid("A model has 1 to 16 entities.");
    }
    if (accesses.size() > ACCESSES_MAX) {
      throw ModelErrors.invalid("A model has at most 64 accesses.");
    }
    Set<String> names = new HashSet<>();
    for (EntityType entity : entities) {
      if (!names.add(Names.type(entity.name()))) {
        throw ModelErrors.invalid("Two entities have the same name.");
      }
      for (String key : entity.key()) {
        if (!entity.property(key).type().fitsKey()) {
          throw ModelErrors.invalid("A Double or Binary cannot identify an entity.");
        }
      }
    }
    for (EntityType entity : entities) {
      for (Property property : entity.properties()) {
        String other = property.refersTo();
        if (other != null && find(entities, other) == null) {
          throw ModelErrors.invalid("A property refers to an entity that is not in the model.");
        }
      }
    }
  }

  /**
   * Makes a model of entities and sentences.
   *
   * @throws io.lazuli.server.error.ServiceException if a sentence has another form, or names
   *     something that is not there
   */
  public static Model of(List<EntityType> entities, List<String> sentences) {
    Model bare = new Model(entities, List.of());
    if (sentences.size() > ACCESSES_MAX) {
      throw ModelErrors.invalid("A model has at most 64 accesses.");
    }
    return new Model(
        bare.entities,
        IntStream.range(0, sentences.size())
            .mapToObj(i -> Sentences.parse(bare.entities, sentences.get(i), i + 1))
            .toList());
  }

  static void checkName(String name) {
    if (name.isBlank()
        || name.length() > NAME_CHARS_MAX
        || name.chars().anyMatch(Character::isISOControl)
        || name.indexOf('\'') >= 0
        || Names.column(name).isEmpty()) {
      throw ModelErrors.invalid(
          "A name has 1 to 64 characters, one of them a letter, and no quotes.");
    }
  }

  static @Nullable EntityType find(List<EntityType> entities, String name) {
    for (EntityType entity : entities) {
      if (entity.name().equals(name)) {
        return entity;
      }
    }
    return null;
  }

  /** Returns an entity; throws if there is none. */
  public EntityType entity(String name) {
    EntityType found = find(entities, name);
    if (found == null) {
      throw ModelErrors.invalid("An access names an entity that is not in the model.");
    }
    return found;
  }

  List<Access> of(EntityType entity) {
    return accesses.stream().filter(access -> access.entity().equals(entity.name())).toList();
  }
}

package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name and version of a type, as stored in the property {@code EntityType}. */
record TypeTag(String name, int version) {
  static final String PROPERTY = "EntityType";

  private static final Pattern VERSIONED = Pattern.compile("(.+)_V([1-9][0-9]{0,8})");

  static @Nullable TypeTag of(Class<?> type) {
    TypeName name = type.getAnnotation(TypeName.class);
    if (name == null) {
      return null;
    }
    if (name.version() < 1 || name.value().isEmpty() || VERSIONED.matcher(name.value()).matches()) {
      throw new MappingFailure(
          type.getName()
              + ": @TypeName needs a name without a version, and a version of at least 1");
    }
    return new TypeTag(name.value(), name.version());
  }

  static @Nullable TypeTag of(TableEntity entity) {
    return entity.getProperty(PROPERTY) instanceof String text ? parse(text) : null;
  }

  static TypeTag parse(String text) {
    Matcher versioned = VERSIONED.matcher(text);
    return versioned.matches()
        ? new TypeTag(versioned.group(1), Integer.parseInt(versioned.group(2)))
        : new TypeTag(text, 1);
  }

  String text() {
    return version == 1 ? name : name + "_V" + version;
  }
}

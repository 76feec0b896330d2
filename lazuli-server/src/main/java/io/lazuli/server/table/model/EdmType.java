package io.lazuli.server.table.model;

import org.jspecify.annotations.Nullable;

/** The types of properties. The tag stands for the type in a stored record. */
public enum EdmType {
  STRING(1, "Edm.String"),
  INT32(2, "Edm.Int32"),
  INT64(3, "Edm.Int64"),
  DOUBLE(4, "Edm.Double"),
  BOOLEAN(5, "Edm.Boolean"),
  DATE_TIME(6, "Edm.DateTime"),
  GUID(7, "Edm.Guid"),
  BINARY(8, "Edm.Binary");

  private static final EdmType[] BY_TAG = new EdmType[values().length + 1];

  static {
    for (EdmType type : values()) {
      BY_TAG[type.tag] = type;
    }
  }

  private final int tag;
  private final String edmName;

  EdmType(int tag, String edmName) {
    this.tag = tag;
    this.edmName = edmName;
  }

  public int tag() {
    return tag;
  }

  /** Returns the name in the protocol. */
  public String edmName() {
    return edmName;
  }

  public static EdmType ofTag(int tag) {
    EdmType type = tag > 0 && tag < BY_TAG.length ? BY_TAG[tag] : null;
    if (type == null) {
      throw new IllegalStateException("unknown type tag: " + tag);
    }
    return type;
  }

  /** Returns the type with that name in the protocol; null if there is none. */
  public static @Nullable EdmType find(String edmName) {
    for (EdmType type : values()) {
      if (type.edmName.equals(edmName)) {
        return type;
      }
    }
    return null;
  }
}

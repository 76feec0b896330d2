package io.lazuli.server.event;

/** Sees headers one by one. */
@FunctionalInterface
public interface HeaderVisitor {
  void visit(String name, String value);
}

package io.lazuli.server.event;

/** Receives headers one by one. */
@FunctionalInterface
public interface HeaderVisitor {
  void visit(CharSequence name, CharSequence value);
}

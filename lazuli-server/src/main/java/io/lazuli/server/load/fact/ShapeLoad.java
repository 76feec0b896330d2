package io.lazuli.server.load.fact;

/**
 * Queries of one shape: the same condition with other literals.
 *
 * @param kind the kind of plan
 * @param shape the condition without its literals
 * @param most the largest number of entities that one run has read
 * @param caller the address of one of those who ask
 */
public record ShapeLoad(
    String kind,
    String shape,
    long runs,
    long read,
    long returned,
    long micros,
    long most,
    int partitions,
    String caller) {}

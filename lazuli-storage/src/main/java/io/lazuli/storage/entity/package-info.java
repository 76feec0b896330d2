/**
 * The layout of stored entities, and conditions on them. HBase's region servers run these classes
 * too, so they are compiled for Java 8 and use nothing but the JDK. The package is not marked for
 * nullness, because Java 8 does not know all targets of the annotation; the build tells NullAway
 * its name.
 */
package io.lazuli.storage.entity;

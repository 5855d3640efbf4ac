package dev.postrider.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import dev.postrider.internal.Internal;

/** What is public for other modules of Postrider only. */
final class Internals {

    static final DescribedPredicate<JavaClass> INTERNAL =
            DescribedPredicate.describe("internal", Internals::isInternal);

    private Internals() {}

    static boolean isInternal(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        return isInternal(base.getPackage())
                || base.isAnnotatedWith(Internal.class)
                || base.getEnclosingClass().map(Internals::isInternal).orElse(false);
    }

    static boolean isInternal(JavaPackage inside) {
        return inside.getRelativeName().equals("internal") || inside.isAnnotatedWith(Internal.class);
    }
}
